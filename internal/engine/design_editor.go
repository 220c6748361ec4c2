package engine

import (
	"context"
	"fmt"

	"weir/design"
	"weir/natsapi"
)

// PlaceRequest asks design.complete and design.hover about a place of a text.
// Line and Col count from 1, Col in characters. Target is "2.12", the newest
// when empty.
type PlaceRequest struct {
	Name   string `json:"name"`
	Text   string `json:"text"`
	Line   int    `json:"line"`
	Col    int    `json:"col"`
	Target string `json:"target,omitempty"`
}

func (in PlaceRequest) source() (*design.Source, natsapi.Version, error) {
	v, err := parseTarget(in.Target)
	if v == (natsapi.Version{}) {
		v = natsapi.Embedded
	}
	if err == nil && len(in.Text) > design.MaxFileBytes {
		err = &Error{Code: CodeBadRequest, Path: "text", Message: fmt.Sprintf("the text has %d bytes; Weir reads at most %d (8 MiB)", len(in.Text), design.MaxFileBytes)}
	}
	return design.NewSource(in.Name, []byte(in.Text)), v, err
}

// CompleteReply lists what may be written in the place of the text from At.
type CompleteReply struct {
	Completions []design.Completion `json:"completions"`
	At          design.Position     `json:"at"`
}

func completeDesign(_ context.Context, in PlaceRequest, _ Progress) (CompleteReply, error) {
	src, v, err := in.source()
	if err != nil {
		return CompleteReply{}, err
	}
	list, at := design.Complete(src, in.Line, in.Col, v)
	return CompleteReply{list, at}, nil
}

// HoverReply is what is known about a key. Found is false where nothing is.
type HoverReply struct {
	Found bool            `json:"found"`
	Path  string          `json:"path"`
	At    design.Position `json:"at"`
	Field design.FieldDoc `json:"field"`
}

func hoverDesign(_ context.Context, in PlaceRequest, _ Progress) (HoverReply, error) {
	src, v, err := in.source()
	if err != nil {
		return HoverReply{}, err
	}
	doc, path, at, ok := design.Hover(src, in.Line, in.Col, v)
	return HoverReply{Found: ok, Path: path, At: at, Field: doc}, nil
}
