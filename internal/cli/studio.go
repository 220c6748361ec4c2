package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"weir/internal/studio"
)

// studio is `weir studio`: the browser studio, served on loopback or exported
// for a static host.
func (c *Command) studio() *cobra.Command {
	var (
		addr, export  string
		noOpen, force bool
	)
	cmd := &cobra.Command{
		Use:   "studio",
		Short: "Open the studio in a browser, or export it for a static host",
		Long: "Serves the studio on this machine only and opens a browser where there is one. The page\n" +
			"computes everything itself; no design leaves it.\n\n" +
			"With --export the site is written to a folder that any static host can serve.",
		Example: "  weir studio                        serve and open a browser\n" +
			"  weir studio --addr 127.0.0.1:8080 --no-open\n" +
			"  weir studio --export site/         write the site for a static host",
		Args: cobra.NoArgs,
	}
	f := cmd.Flags()
	cmd.RunE = c.run(func([]string) (int, error) {
		switch {
		case f.Changed("addr") && addr == "":
			return 0, badInput("--addr names no address; write --addr 127.0.0.1:8080")
		case f.Changed("export") && export == "":
			return 0, badInput("--export names no folder; write --export site/")
		case export != "":
			return c.exportStudio(export, force)
		case force:
			return 0, badInput("--force says nothing without --export")
		}
		return c.serveStudio(addr, noOpen)
	})
	f.StringVar(&addr, "addr", "", "loopback `address` to listen on; port 0 takes a free one (default "+studio.UsualAddr+", or a free port where that is taken)")
	f.BoolVar(&noOpen, "no-open", false, "do not open a browser")
	f.StringVar(&export, "export", "", "write the site to this `folder` instead of serving it")
	f.BoolVar(&force, "force", false, "with --export: replace files in a folder that is not empty")
	return cmd
}

func (c *Command) serveStudio(addr string, noOpen bool) (int, error) {
	if addr != "" {
		if err := studio.CheckAddr(addr); err != nil {
			return 0, inputError{err}
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := studio.Serve(ctx, addr, func(url string) {
		fmt.Fprintf(c.out, "The studio is at %s (Ctrl-C ends it)\n", url)
		// The address must be seen now, not when the server ends.
		_ = c.out.Flush()
		if !noOpen {
			studio.OpenBrowser(url)
		}
	})
	return ExitYes, err
}

func (c *Command) exportStudio(dir string, force bool) (int, error) {
	n, err := studio.Export(dir, force)
	if errors.Is(err, studio.ErrOccupied) {
		return 0, inputError{err}
	}
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(c.out, "wrote %d files to %s\n", n, dir)
	return ExitYes, nil
}
