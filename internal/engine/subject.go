package engine

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"weir/size"
	"weir/subject"
)

var subjectMethods = []method{
	on("subject.explain", "Takes a subject apart token by token in one context, and says how the others take it.", explainSubject),
	on("subject.matrix", "Matches patterns against subjects.", matchMatrix),
	on("subject.match", "Says token by token why a pattern matches a subject or not.", explainMatch),
	on("subject.relate", "Relates two patterns, with witnesses.", relate),
	on("subject.overlaps", "Finds all overlaps in a set of patterns, and the reserved spaces that they reach.", findOverlaps),
	on("subject.transform", "Applies a subject transform to subjects.", transformSubjects),
	on("subject.partition", "Spreads keys over partitions, and counts the keys that another number of partitions moves.", partitionKeys),
	on("subject.cardinality", "Multiplies the domains of a template's tokens.", cardinality),
	on("subject.mqtt", "Converts between MQTT topics and NATS subjects.", convertMQTT),
}

// ExplainRequest asks subject.explain. Context is a name of About.Contexts,
// "subscribe" when empty; Release is "2.12", the newest when empty.
type ExplainRequest struct {
	Subject string `json:"subject"`
	Context string `json:"context"`
	Release string `json:"release,omitempty"`
}

func explainSubject(_ context.Context, in ExplainRequest, _ Progress) (subject.Explanation, error) {
	if in.Context == "" {
		in.Context = string(subject.Subscribe)
	}
	c, ok := subject.ContextNamed(in.Context)
	if !ok {
		return subject.Explanation{}, &Error{Code: CodeBadRequest, Path: "context", Message: fmt.Sprintf("%q is not a context", in.Context)}
	}
	r, err := parseRelease(in.Release)
	if err != nil {
		return subject.Explanation{}, err
	}
	return bounded(subject.Explain(in.Subject, c, r)), nil
}

// parseRelease reads "2.12" or "2.12.15"; "" is the newest release.
func parseRelease(s string) (subject.Release, error) {
	if s == "" {
		return subject.Release{}, nil
	}
	part := strings.SplitN(s, ".", 3)
	if len(part) >= 2 {
		major, err1 := strconv.Atoi(part[0])
		minor, err2 := strconv.Atoi(part[1])
		if err1 == nil && err2 == nil && major == 2 && minor >= 0 {
			return subject.Release{Major: major, Minor: minor}, nil
		}
	}
	return subject.Release{}, &Error{Code: CodeBadRequest, Path: "release", Message: fmt.Sprintf("%q is not a server release; write 2.12", s)}
}

// MatrixRequest asks subject.matrix.
type MatrixRequest struct {
	Patterns []string `json:"patterns"`
	Subjects []string `json:"subjects"`
}

// MatrixReply is a matrix with one bit a cell.
type MatrixReply struct {
	Patterns []MatrixPattern `json:"patterns"`
	Subjects []MatrixSubject `json:"subjects"`
	RowBytes int             `json:"row_bytes"`
	// Rows is base64: RowBytes for each subject; bit j&7 of byte j>>3 says that
	// pattern j matches.
	Rows      string             `json:"rows"`
	Cells     int                `json:"cells"`
	Matching  int                `json:"matching"`
	Summary   string             `json:"summary"`
	Grounds   string             `json:"grounds"`
	Surprises []subject.Surprise `json:"surprises"`
}

// MatrixPattern is a column. SameAs is the index of the first equal pattern, -1
// for the first.
type MatrixPattern struct {
	Pattern string `json:"pattern"`
	Valid   bool   `json:"valid"`
	Reason  string `json:"reason,omitempty"`
	Matches int    `json:"matches"`
	SameAs  int    `json:"same_as"`
}

// MatrixSubject is a row. Wildcard says that it holds a wildcard token, which a
// server takes literally when it is published.
type MatrixSubject struct {
	Subject  string `json:"subject"`
	Valid    bool   `json:"valid"`
	Reason   string `json:"reason,omitempty"`
	Wildcard bool   `json:"wildcard"`
	Matches  int    `json:"matches"`
}

func matchMatrix(_ context.Context, in MatrixRequest, _ Progress) (MatrixReply, error) {
	m, err := subject.NewMatrix(in.Patterns, in.Subjects)
	if err != nil {
		return MatrixReply{}, badRequest(err)
	}
	out := MatrixReply{
		Patterns: matrixPatterns(m), Subjects: matrixSubjects(m),
		RowBytes: (len(in.Patterns) + 7) / 8,
		Cells:    len(in.Patterns) * len(in.Subjects), Matching: m.Count(),
		Surprises: m.Surprises(3),
	}
	out.Rows = encodeRows(m, out.RowBytes)
	out.Summary, out.Grounds = summarise(&out)
	return out, nil
}

func matrixPatterns(m *subject.Matrix) []MatrixPattern {
	counts := m.CountByPattern()
	first := map[string]int{}
	out := make([]MatrixPattern, len(m.Patterns))
	for i, p := range m.Patterns {
		v := subject.Check(p, subject.Subscribe)
		out[i] = MatrixPattern{Pattern: p, Valid: v.Valid, Reason: v.Reason, Matches: counts[i], SameAs: -1}
		if at, ok := first[p]; ok {
			out[i].SameAs = at
		} else {
			first[p] = i
		}
	}
	return out
}

func matrixSubjects(m *subject.Matrix) []MatrixSubject {
	counts := m.CountBySubject()
	out := make([]MatrixSubject, len(m.Subjects))
	for i, s := range m.Subjects {
		out[i] = MatrixSubject{Subject: s, Valid: subject.Publishable(s), Wildcard: !subject.IsLiteral(s), Matches: counts[i]}
		if !out[i].Valid {
			out[i].Reason = subject.Check(s, subject.Publish).Reason
		}
	}
	return out
}

func encodeRows(m *subject.Matrix, rowBytes int) string {
	raw := make([]byte, 0, rowBytes*len(m.Subjects))
	var word [8]byte
	for i := range m.Subjects {
		left := rowBytes
		for _, w := range m.Row(i) {
			binary.LittleEndian.PutUint64(word[:], w)
			n := min(8, left)
			raw = append(raw, word[:n]...)
			left -= n
		}
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// summarise writes the verdict sentence of a matrix and its grounds.
func summarise(r *MatrixReply) (summary, grounds string) {
	refused, badSubjects, unread := 0, 0, 0
	for _, p := range r.Patterns {
		if !p.Valid {
			refused++
		}
	}
	for _, s := range r.Subjects {
		switch {
		case !s.Valid:
			badSubjects++
		case s.Matches == 0:
			unread++
		}
	}
	var parts []string
	if refused > 0 {
		parts = append(parts, size.Counted(refused, "pattern is", "patterns are")+" refused")
	}
	if badSubjects > 0 {
		parts = append(parts, size.Counted(badSubjects, "subject is", "subjects are")+" not valid")
	}
	if unread > 0 {
		parts = append(parts, size.Counted(unread, "subject reaches", "subjects reach")+" no pattern")
	}
	switch {
	case r.Cells == 0:
		summary = "Add a pattern and a subject to compare them."
	case len(parts) == 0:
		summary = "Every pattern is valid, and every subject reaches one."
	default:
		summary = strings.ToUpper(parts[0][:1]) + join(parts)[1:] + "."
	}
	grounds = fmt.Sprintf("%s against %s: %s of %s match.", size.Counted(len(r.Patterns), "pattern", "patterns"),
		size.Counted(len(r.Subjects), "subject", "subjects"), size.FormatCount(float64(r.Matching)), size.Counted(r.Cells, "cell", "cells"))
	return summary, grounds
}

func tooMany(n, most int, what string) error {
	return fmt.Errorf("%s %s are more than %s; split the list", size.FormatCount(float64(n)), what, size.FormatCount(float64(most)))
}

func join(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// MatchRequest asks subject.match.
type MatchRequest struct {
	Pattern string `json:"pattern"`
	Subject string `json:"subject"`
}

func explainMatch(_ context.Context, in MatchRequest, _ Progress) (subject.MatchExplanation, error) {
	return bounded(subject.ExplainMatch(in.Pattern, in.Subject)), nil
}

// RelateRequest asks subject.relate.
type RelateRequest struct {
	A string `json:"a"`
	B string `json:"b"`
}

func relate(_ context.Context, in RelateRequest, _ Progress) (subject.Related, error) {
	return bounded(subject.Relate(in.A, in.B)), nil
}

// OverlapsRequest asks subject.overlaps. Limit is the most pairs to return, 1
// to 10,000; 0 means 200.
type OverlapsRequest struct {
	Patterns []string `json:"patterns"`
	Limit    int      `json:"limit,omitempty"`
	Release  string   `json:"release,omitempty"`
}

// OverlapsReply holds pairs with witnesses. Complete is false when the search
// stopped before the end.
type OverlapsReply struct {
	Pairs    []subject.Overlap   `json:"pairs"`
	Total    int                 `json:"total"`
	Complete bool                `json:"complete"`
	Summary  string              `json:"summary"`
	Reserved []subject.Collision `json:"reserved"`
}

const mostOverlaps = 10_000

func findOverlaps(_ context.Context, in OverlapsRequest, _ Progress) (OverlapsReply, error) {
	if in.Limit == 0 {
		in.Limit = 200
	}
	if in.Limit < 1 || in.Limit > mostOverlaps {
		return OverlapsReply{}, &Error{Code: CodeBadRequest, Path: "limit", Message: fmt.Sprintf("limit %d: write 1 to %d", in.Limit, mostOverlaps)}
	}
	if len(in.Patterns) > subject.MaxMatrixPatterns {
		return OverlapsReply{}, badRequest(tooMany(len(in.Patterns), subject.MaxMatrixPatterns, "patterns"))
	}
	r, err := parseRelease(in.Release)
	if err != nil {
		return OverlapsReply{}, err
	}
	var out OverlapsReply
	out.Pairs, out.Total, out.Complete = subject.FindOverlaps(in.Patterns, in.Limit)
	for _, p := range in.Patterns {
		if len(out.Reserved) >= in.Limit {
			break
		}
		out.Reserved = append(out.Reserved, subject.ReservedCollisions(p, r)...)
	}
	out.Summary = overlapSummary(&out)
	return bounded(out), nil
}

func overlapSummary(r *OverlapsReply) string {
	switch {
	case r.Total == 0:
		return "No two patterns share a subject."
	case !r.Complete:
		return fmt.Sprintf("%s or more share a subject; the first %s are shown.", size.Counted(r.Total, "pair", "pairs"), size.FormatCount(float64(len(r.Pairs))))
	}
	return size.Counted(r.Total, "pair of patterns shares", "pairs of patterns share") + " a subject. Two streams of an account are refused for that (10065); a consumer's filter shares its stream's subjects and is not."
}

// TransformRequest asks subject.transform.
type TransformRequest struct {
	Source      string   `json:"source"`
	Destination string   `json:"destination"`
	Strict      bool     `json:"strict,omitempty"`
	Release     string   `json:"release,omitempty"`
	Subjects    []string `json:"subjects"`
}

// TransformReply holds a result for each subject, or the error of the transform
// itself.
type TransformReply struct {
	Error   *TransformFault   `json:"error,omitempty"`
	Results []TransformResult `json:"results"`
	Summary string            `json:"summary"`
}

// TransformFault is the server's reason and what to write instead.
type TransformFault struct {
	Token  string `json:"token,omitempty"`
	Reason string `json:"reason"`
	Hint   string `json:"hint,omitempty"`
}

// TransformResult is what one subject becomes.
type TransformResult struct {
	Subject string `json:"subject"`
	Result  string `json:"result,omitempty"`
	Error   string `json:"error,omitempty"`
}

func transformSubjects(_ context.Context, in TransformRequest, _ Progress) (TransformReply, error) {
	if len(in.Subjects) > subject.MaxMatrixSubjects {
		return TransformReply{}, badRequest(tooMany(len(in.Subjects), subject.MaxMatrixSubjects, "subjects"))
	}
	r, err := parseRelease(in.Release)
	if err != nil {
		return TransformReply{}, err
	}
	var out TransformReply
	t, err := subject.NewTransform(in.Source, in.Destination, subject.TransformOptions{Strict: in.Strict, Release: r})
	if err != nil {
		out.Error = faultOf(err)
		out.Summary = fmt.Sprintf("The server refuses this transform: %s.", err)
		return bounded(out), nil
	}
	changed := 0
	for _, s := range in.Subjects {
		if v := subject.Check(s, subject.Publish); !v.Valid && !v.Literal {
			out.Results = append(out.Results, TransformResult{Subject: s, Error: v.Reason}) // no message comes under it
			continue
		}
		result, err := t.Apply(s, nil)
		row := TransformResult{Subject: s, Result: result}
		if err != nil {
			row.Error = faultOf(err).words()
		} else {
			changed++
		}
		out.Results = append(out.Results, row)
	}
	out.Summary = fmt.Sprintf("A valid transform; it applies to %s of %s.", size.FormatCount(float64(changed)), size.Counted(len(in.Subjects), "subject", "subjects"))
	return bounded(out), nil
}

func faultOf(err error) *TransformFault {
	var t *subject.TransformError
	if errors.As(err, &t) {
		return &TransformFault{Token: t.Token, Reason: t.Reason, Hint: t.Hint}
	}
	return &TransformFault{Reason: err.Error()}
}

func (f *TransformFault) words() string {
	if f.Hint == "" {
		return f.Reason
	}
	return f.Reason + ": " + f.Hint
}

// PartitionRequest asks subject.partition: Keys as they are, or Range.
type PartitionRequest struct {
	Keys       []string  `json:"keys,omitempty"`
	Range      *KeyRange `json:"range,omitempty"`
	Partitions int       `json:"partitions"`
	// Compare is another number of partitions, 0 for none.
	Compare int `json:"compare,omitempty"`
}

// KeyRange makes the keys Prefix+From … Prefix+To.
type KeyRange struct {
	Prefix string `json:"prefix"`
	From   int    `json:"from"`
	To     int    `json:"to"`
}

// PartitionReply is the distribution, and what changes with Compare.
type PartitionReply struct {
	Distribution subject.Distribution `json:"distribution"`
	Move         *subject.Move        `json:"move,omitempty"`
	Summary      string               `json:"summary"`
	Sample       []KeyPartition       `json:"sample"` // the first 100 keys
	// Groups stand for the partitions in a picture where these are too many for a
	// bar each; none otherwise.
	Groups []PartitionGroup `json:"groups"`
}

// PartitionGroup is a run of partitions; the last one may be shorter.
type PartitionGroup struct {
	From int     `json:"from"`
	To   int     `json:"to"` // the last one in it
	Keys int     `json:"keys"`
	Mean float64 `json:"mean"` // keys of one partition
}

// mostBars is how many partitions are drawn with a bar each.
const mostBars = 256

// groupCounts puts partitions that stand side by side together, into about half
// of mostBars groups or more; nil when there are few.
func groupCounts(counts []int) []PartitionGroup {
	if len(counts) <= mostBars {
		return nil
	}
	width := (len(counts) + mostBars - 1) / mostBars
	var out []PartitionGroup
	for from := 0; from < len(counts); from += width {
		g := PartitionGroup{From: from, To: min(from+width, len(counts)) - 1}
		for _, n := range counts[g.From : g.To+1] {
			g.Keys += n
		}
		g.Mean = float64(g.Keys) / float64(g.To-g.From+1)
		out = append(out, g)
	}
	return out
}

// KeyPartition is the partition of one key.
type KeyPartition struct {
	Key       string `json:"key"`
	Partition int    `json:"partition"`
}

func partitionKeys(_ context.Context, in PartitionRequest, _ Progress) (PartitionReply, error) {
	keys, err := in.keys()
	if err != nil {
		return PartitionReply{}, err
	}
	var out PartitionReply
	if out.Distribution, err = subject.Distribute(keys, in.Partitions); err != nil {
		return PartitionReply{}, &Error{Code: CodeBadRequest, Path: "partitions", Message: err.Error()}
	}
	for _, k := range keys[:min(len(keys), 100)] {
		out.Sample = append(out.Sample, KeyPartition{k, subject.PartitionOf(k, in.Partitions)})
	}
	d := out.Distribution
	out.Groups = groupCounts(d.Counts)
	out.Summary = fmt.Sprintf("%s over %s: %s to %s each, the fullest holds %.2f times the mean.",
		size.Counted(d.Keys, "key", "keys"), size.Counted(d.Partitions, "partition", "partitions"), size.FormatCount(float64(d.Min)), size.FormatCount(float64(d.Max)), d.Skew)
	if in.Compare != 0 {
		move, err := subject.Moves(keys, in.Partitions, in.Compare)
		if err != nil {
			return PartitionReply{}, &Error{Code: CodeBadRequest, Path: "compare", Message: err.Error()}
		}
		out.Move = &move
		out.Summary += fmt.Sprintf(" With %s %.1f %% of the keys move.", size.Counted(move.To, "partition", "partitions"), 100*move.Share)
	}
	return bounded(out), nil
}

func (in *PartitionRequest) keys() ([]string, error) {
	if in.Range == nil {
		if len(in.Keys) > subject.MaxMatrixSubjects {
			return nil, badRequest(tooMany(len(in.Keys), subject.MaxMatrixSubjects, "keys"))
		}
		return in.Keys, nil
	}
	n := in.Range.To - in.Range.From + 1
	if n < 1 || n > subject.MaxMatrixSubjects || in.Range.From < 0 {
		return nil, &Error{Code: CodeBadRequest, Path: "range", Message: fmt.Sprintf("range %d to %d: write 0 or more, upwards, at most %s keys", in.Range.From, in.Range.To, size.FormatCount(subject.MaxMatrixSubjects))}
	}
	keys := make([]string, n)
	for i := range keys {
		keys[i] = in.Range.Prefix + strconv.Itoa(in.Range.From+i)
	}
	return keys, nil
}

// CardinalityRequest asks subject.cardinality.
type CardinalityRequest struct {
	Template string           `json:"template"`
	Domains  []subject.Domain `json:"domains"`
}

// CardinalityReply is subject.Cardinality for JavaScript.
type CardinalityReply struct {
	Template string           `json:"template"`
	Subjects Int64            `json:"subjects"`
	Capped   bool             `json:"capped"`
	Factors  []subject.Factor `json:"factors"` // of the first subject.MaxExplainTokens tokens
	Formula  string           `json:"formula"`
}

func cardinality(_ context.Context, in CardinalityRequest, _ Progress) (CardinalityReply, error) {
	c, err := subject.CardinalityOf(in.Template, in.Domains)
	if err != nil {
		return CardinalityReply{}, badRequest(err)
	}
	factors := c.Factors[:min(len(c.Factors), subject.MaxExplainTokens)]
	return bounded(CardinalityReply{c.Template, Int64(c.Subjects), c.Capped, factors, c.Formula}), nil
}

// MQTTRequest asks subject.mqtt. Kind says what Text is: "topic", "filter" or
// "subject".
type MQTTRequest struct {
	Text string `json:"text"`
	Kind string `json:"kind"`
}

// MQTTReply is the other side's spelling.
type MQTTReply struct {
	Result string   `json:"result,omitempty"`
	Parent string   `json:"parent,omitempty"` // a second subject that the filter subscribes to
	Error  string   `json:"error,omitempty"`
	Notes  []string `json:"notes"`
	// Long says that Result is cut, because no line of the protocol holds it.
	Long bool `json:"long,omitempty"`
}

// mqttContexts are the contexts in which the kinds of an MQTTRequest are judged.
var mqttContexts = map[string]subject.Context{"topic": subject.MQTTTopic, "filter": subject.MQTTFilter, "subject": subject.Publish}

func convertMQTT(_ context.Context, in MQTTRequest, _ Progress) (MQTTReply, error) {
	var out MQTTReply
	var err error
	switch in.Kind {
	case "topic":
		out.Result, err = subject.FromMQTTTopic(in.Text)
	case "filter":
		out.Result, err = subject.FromMQTTFilter(in.Text)
		out.Parent, _ = subject.MQTTParent(in.Text)
	case "subject":
		out.Result = subject.ToMQTTTopic(in.Text)
	default:
		return out, &Error{Code: CodeBadRequest, Path: "kind", Message: fmt.Sprintf("%q: write topic, filter or subject", in.Kind)}
	}
	if err != nil {
		return MQTTReply{Error: err.Error()}, nil
	}
	if why := subject.MQTTRefusal(in.Text, mqttContexts[in.Kind]); why != "" {
		return MQTTReply{Error: why}, nil
	}
	if in.Kind != "subject" && strings.Contains(in.Text, ".") {
		out.Notes = append(out.Notes, "a dot inside an MQTT level becomes //, because a dot separates NATS tokens")
	}
	if out.Parent != "" {
		out.Notes = append(out.Notes, fmt.Sprintf("in MQTT the filter also matches its parent, so the server subscribes to %s as well", out.Parent))
	}
	if strings.Contains("/"+in.Text+"/", "//") && in.Kind != "subject" {
		out.Notes = append(out.Notes, "an empty MQTT level becomes the token /, because NATS has no empty tokens")
	}
	out.Long = len(out.Result) > mostText
	return bounded(out), nil
}
