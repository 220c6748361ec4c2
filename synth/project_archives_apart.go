//go:build apart

package synth

import "embed"

// projectArchives are none: they lie beside the program, see GiveProject.
var projectArchives embed.FS
