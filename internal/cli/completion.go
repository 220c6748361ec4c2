package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (c *Command) completion() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "Print the completion script of a shell",
		Long:  "Prints a script that completes commands, flags, and the words that flags take.",
		Example: `  # bash, in this session, or for all of them
  source <(weir completion bash)
  weir completion bash > ~/.local/share/bash-completion/completions/weir

  # zsh, into a folder of $fpath
  weir completion zsh > ~/.zfunc/_weir

  # fish
  weir completion fish > ~/.config/fish/completions/weir.fish`,
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"bash", "zsh", "fish"},
	}
	cmd.RunE = c.run(func(args []string) (int, error) {
		write := map[string]func() error{
			"bash": func() error { return cmd.Root().GenBashCompletionV2(c.out, true) },
			"zsh":  func() error { return cmd.Root().GenZshCompletion(c.out) },
			"fish": func() error { return cmd.Root().GenFishCompletion(c.out, true) },
		}
		if err := write[args[0]](); err != nil {
			return ExitTrouble, fmt.Errorf("write completion: %w", err)
		}
		return ExitYes, nil
	})
	return cmd
}
