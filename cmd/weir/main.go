// Command weir designs NATS and JetStream systems and proves the design on the
// real nats-server. Package internal/cli has the commands.
package main

import (
	"os"

	"weir/internal/cli"
)

func main() {
	os.Exit((&cli.Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}).Main(os.Args[1:]))
}
