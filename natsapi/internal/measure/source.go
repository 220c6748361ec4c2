// Package measure reads what one nats-server version has from its source and
// from a running server of it. It is used by the tests of natsapi, which hold
// the tables against the pinned server, and by internal/update, which says what
// another version changes. It is not part of any program that Weir ships.
package measure

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Source is the parsed source of one nats-server module.
type Source struct {
	dir   string
	fset  *token.FileSet
	files map[string]*ast.File // by base name, tests left out
}

// Open parses the package server of the nats-server module in dir.
func Open(dir string) (*Source, error) {
	s := &Source{dir: dir, fset: token.NewFileSet(), files: map[string]*ast.File{}}
	paths, err := filepath.Glob(filepath.Join(dir, "server", "*.go"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("open server source: no Go files in %s/server", dir)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(s.fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("open server source: %w", err)
		}
		s.files[filepath.Base(path)] = f
	}
	return s, nil
}

// Field is a JSON field of one of the server's structs, with its Go type written
// as package reflect writes it ("[]*server.StreamSource").
type Field struct{ Name, Go string }

// Struct lists the JSON fields of a struct of package server in order, embedded
// structs left out. It is nil when the version has no such struct.
func (s *Source) Struct(name string) []Field {
	var fields []Field
	for _, file := range s.files {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != name {
				return true
			}
			if st, ok := spec.Type.(*ast.StructType); ok {
				fields = s.jsonFields(st)
			}
			return false
		})
	}
	return fields
}

func (s *Source) jsonFields(st *ast.StructType) []Field {
	var fields []Field
	for _, f := range st.Fields.List {
		if f.Tag == nil || len(f.Names) == 0 {
			continue
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			continue
		}
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if name != "" && name != "-" {
			fields = append(fields, Field{name, s.typeText(f.Type)})
		}
	}
	return fields
}

// typeText prints a type with the package name before the server's own types.
func (s *Source) typeText(expr ast.Expr) string {
	var text strings.Builder
	if err := printer.Fprint(&text, s.fset, expr); err != nil {
		return err.Error()
	}
	i := strings.LastIndexAny(text.String(), "*]") + 1
	prefix, base := text.String()[:i], text.String()[i:]
	if ast.IsExported(base) {
		base = "server." + base
	}
	return prefix + base
}

// Error is one entry of server/errors.json.
type Error struct {
	Constant    string `json:"constant"`
	Code        int    `json:"code"`
	ErrCode     int    `json:"error_code"`
	Description string `json:"description"`
}

// Errors lists the API errors in ascending ErrCode.
func (s *Source) Errors() ([]Error, error) {
	data, err := os.ReadFile(filepath.Join(s.dir, "server", "errors.json"))
	if err != nil {
		return nil, fmt.Errorf("read API errors: %w", err)
	}
	var list []Error
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("read API errors: %w", err)
	}
	slices.SortFunc(list, func(a, b Error) int { return a.ErrCode - b.ErrCode })
	return list, nil
}

// Identifiers collects the identifiers in use, those of the generated error list
// left out: what an error's constructor is called by.
func (s *Source) Identifiers() map[string]bool {
	used := map[string]bool{}
	for name, file := range s.files {
		if name == "jetstream_errors_generated.go" {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name] = true
			}
			return true
		})
	}
	return used
}

// ConfWords lists, for each function that reads the configuration, the strings
// that its switches and look-ups name: keys, their aliases, and words for values.
func (s *Source) ConfWords() map[string][]string {
	words := map[string][]string{}
	for _, name := range []string{"opts.go", "ocsp_peer.go", "ocsp_responsecache.go"} {
		if s.files[name] == nil {
			continue
		}
		for _, d := range s.files[name].Decls {
			// ConfigureOptions reads command-line flags.
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name != "ConfigureOptions" {
				if found := namedStrings(fn); len(found) > 0 {
					words[fn.Name.Name] = found
				}
			}
		}
	}
	return words
}

func namedStrings(fn *ast.FuncDecl) []string {
	var found []string
	ast.Inspect(fn, func(n ast.Node) bool {
		var named []ast.Expr
		switch n := n.(type) {
		case *ast.CaseClause:
			named = n.List
		case *ast.IndexExpr:
			named = []ast.Expr{n.Index}
		}
		for _, e := range named {
			if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					found = append(found, s)
				}
			}
		}
		return true
	})
	return found
}

// APILevel is the constant JSApiLevel; 0 when the version has none.
func (s *Source) APILevel() int {
	level := 0
	for _, file := range s.files {
		ast.Inspect(file, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if ok && len(v.Names) == 1 && v.Names[0].Name == "JSApiLevel" && len(v.Values) == 1 {
				if lit, ok := v.Values[0].(*ast.BasicLit); ok {
					level, _ = strconv.Atoi(lit.Value)
				}
			}
			return true
		})
	}
	return level
}
