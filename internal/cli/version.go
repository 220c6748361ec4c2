package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"weir/internal/engine"
	"weir/prove"
)

// versions is what weir version prints.
type versions struct {
	Weir       string `json:"weir"`
	Commit     string `json:"commit,omitempty"`
	Modified   bool   `json:"modified,omitempty"` // built from a changed checkout
	NATSServer string `json:"nats_server"`        // the server that runs inside
	Go         string `json:"go"`
	Platform   string `json:"platform"`
}

func (c *Command) version() *cobra.Command {
	var format choice
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of Weir and of the nats-server inside it",
		Example: `  weir version
  weir version --format json
  weir version --format json | jq -r .nats_server`,
		Args: cobra.NoArgs,
		RunE: c.run(func([]string) (int, error) {
			v := versionsOf()
			if format.value == "json" {
				return ExitYes, c.printJSON(v)
			}
			fmt.Fprintln(c.out, versionLine())
			return ExitYes, nil
		}),
	}
	choiceFlag(cmd, &format, "format", "how to print", "text", "json")
	return cmd
}

// versionLine is what weir version and weir --version print.
func versionLine() string {
	v := versionsOf()
	return fmt.Sprintf("weir %s with nats-server %s (%s, %s)", v.Weir, v.NATSServer, v.Go, v.Platform)
}

func versionsOf() versions {
	v := versions{Weir: engine.Version, NATSServer: prove.ServerVersion, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
