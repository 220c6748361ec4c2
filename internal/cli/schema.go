package cli

import (
	"github.com/spf13/cobra"

	"weir/design"
)

func (c *Command) schema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the design file",
		Long: `Prints the JSON Schema (draft 2020-12) of the design file, made from the same tables as
Weir's own reader, for editors and other tools. Editors that use yaml-language-server take it
from a comment in the first line of a design:

  # yaml-language-server: $schema=weir.schema.json`,
		Example: `  weir schema > weir.schema.json
  weir schema | jq '."$defs".consumer.properties | keys'
  weir schema | jq -r '."$defs".stream.properties.max_age.description'`,
		Args: cobra.NoArgs,
		RunE: c.run(func([]string) (int, error) {
			c.out.Write(design.Schema())
			return ExitYes, nil
		}),
	}
}
