//go:build !apart

package synth

import "embed"

//go:embed client_*.txtar
var projectArchives embed.FS
