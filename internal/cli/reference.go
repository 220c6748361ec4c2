package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Reference renders every command with its help as one Markdown page.
func Reference() string {
	var b strings.Builder
	b.WriteString("# The weir command\n\nGenerated from the commands themselves; `weir COMMAND --help` prints the same.\n")
	writeCommand(&b, (&Command{}).root())
	return b.String()
}

func writeCommand(b *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n%s.\n", cmd.CommandPath(), strings.TrimSuffix(cmd.Short, "."))
	if cmd.Long != "" {
		fmt.Fprintf(b, "\n%s\n", strings.TrimSpace(cmd.Long))
	}
	if cmd.Runnable() && !cmd.HasSubCommands() {
		fmt.Fprintf(b, "\n    %s\n", cmd.UseLine())
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", strings.TrimRight(unindent(cmd.Example), "\n"))
	}
	writeFlags(b, cmd)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			writeCommand(b, sub)
		}
	}
}

func writeFlags(b *strings.Builder, cmd *cobra.Command) {
	if !cmd.HasAvailableLocalFlags() {
		return
	}
	b.WriteString("\n| flag | default | meaning |\n|---|---|---|\n")
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "`--" + strings.TrimSpace(f.Name+" "+value) + "`"
		fmt.Fprintf(b, "| %s | %s | %s |\n", name, tableText(f.DefValue), tableText(usage))
	})
}

// tableText keeps a text inside its cell.
func tableText(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(s)
}

// unindent removes the two spaces that examples start with.
func unindent(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, "  ")
	}
	return strings.Join(lines, "\n")
}
