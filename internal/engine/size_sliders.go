package engine

import (
	"cmp"
	"fmt"
	"slices"

	"weir/design"
	"weir/size"
)

// slidersOf are the values that move a design most: of the streams that take most
// disk and most heap their publisher's rate, limits and window, and the servers'
// disk and memory.
func slidersOf(d *design.Design, z size.DesignSize, tried map[string]string) []SizeSlider {
	r := sliderReader{d: d, tried: tried}
	add := r.add
	for _, s := range largest(z) {
		if p := mainPublisher(s); p != "" {
			add(p+".rate", "rate of "+lastStep(p), rateStops(d, p+".rate"), design.ParseRate)
		}
		add(s.Path+".max_age", s.Name+" max_age", durations("1h", "6h", "12h", "24h", "48h", "72h", "7d", "14d", "30d", "90d", "365d"), duration)
		add(s.Path+".max_bytes", s.Name+" max_bytes", sizes("1GiB", "5GiB", "10GiB", "20GiB", "50GiB", "100GiB", "200GiB", "500GiB", "1TiB"), bytesOf)
		add(s.Path+".duplicate_window", s.Name+" duplicate_window", durations("10s", "1m", "2m", "5m", "10m", "30m", "1h", "6h", "12h", "24h", "7d"), duration)
	}
	add("server.disk", "disk a server", sizes("20GiB", "50GiB", "100GiB", "200GiB", "300GiB", "500GiB", "1TiB", "2TiB", "4TiB"), bytesOf)
	add("server.memory", "memory a server", sizes("1GiB", "2GiB", "4GiB", "8GiB", "16GiB", "32GiB", "64GiB", "128GiB"), bytesOf)
	return r.out
}

// sliderReader makes sliders of what a design says.
type sliderReader struct {
	d     *design.Design
	tried map[string]string
	out   []SizeSlider
}

// add makes a slider of a path where a value is written, once.
func (r *sliderReader) add(path, label string, stops []stop, read func(string) (float64, error)) {
	v, ok := r.d.Value(path)
	known := slices.ContainsFunc(r.out, func(s SizeSlider) bool { return s.Path == path })
	if !ok || v.Kind == design.Container || known {
		return
	}
	text := string(v.Node.Text)
	n, err := read(text)
	if err != nil {
		return
	}
	s := sliderOf(path, label, text, n, stops)
	if t, is := r.tried[path]; is && slices.Contains(s.Stops, t) {
		s.Value = t
	}
	r.out = append(r.out, s)
}

// sliderOf is a slider that stands at a text, which is one of its stops.
func sliderOf(path, label, text string, n float64, stops []stop) SizeSlider {
	stops = slices.DeleteFunc(slices.Clone(stops), func(s stop) bool { return s.at == n })
	stops = append(stops, stop{n, text})
	slices.SortStableFunc(stops, func(a, b stop) int { return cmp.Compare(a.at, b.at) })
	s := SizeSlider{Path: path, Label: label, Value: text}
	for _, one := range stops {
		s.Stops = append(s.Stops, one.text)
	}
	return s
}

// stop is one place of a slider.
type stop struct {
	at   float64
	text string
}

func duration(s string) (float64, error) {
	n, err := design.ParseDuration(s)
	return float64(n), err
}

func bytesOf(s string) (float64, error) {
	n, err := design.ParseSize(s)
	return float64(n), err
}

func stopsOf(read func(string) (float64, error), texts []string) []stop {
	out := make([]stop, len(texts))
	for i, t := range texts {
		n, err := read(t)
		if err != nil { // the texts are this package's own
			panic(err)
		}
		out[i] = stop{n, t}
	}
	return out
}

func durations(texts ...string) []stop { return stopsOf(duration, texts) }
func sizes(texts ...string) []stop     { return stopsOf(bytesOf, texts) }

// rateStops are parts and multiples of the rate that is written.
func rateStops(d *design.Design, path string) []stop {
	v, ok := d.Value(path)
	if !ok || v.Kind == design.Container {
		return nil
	}
	rate, err := design.ParseRate(string(v.Node.Text))
	if err != nil || rate <= 0 {
		return nil
	}
	var out []stop
	for _, by := range []float64{0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2, 3, 5, 7, 10} {
		text := fmt.Sprintf("%.3g/s", rate*by)
		if n, err := design.ParseRate(text); err == nil {
			out = append(out, stop{n, text})
		}
	}
	return out
}

// largest are the streams that take most disk and most heap.
func largest(z size.DesignSize) []*size.DesignStream {
	var disk, heap *size.DesignStream
	for i := range z.Streams {
		s := &z.Streams[i]
		if s.Kind != "stream" {
			continue
		}
		if disk == nil || s.Size.Disk.Total.Value > disk.Size.Disk.Total.Value {
			disk = s
		}
		if heap == nil || s.Size.Heap.Live.Value > heap.Size.Heap.Live.Value {
			heap = s
		}
	}
	switch {
	case disk == nil:
		return nil
	case disk == heap:
		return []*size.DesignStream{disk}
	}
	return []*size.DesignStream{disk, heap}
}

// mainPublisher is the design path of the publisher that sends most of a stream.
func mainPublisher(s *size.DesignStream) string {
	from, most := "", 0.0
	for _, a := range s.Arrivals {
		if a.Rate.Value > most {
			from, most = a.From, a.Rate.Value
		}
	}
	return from
}

// lastStep is the name at the end of a path.
func lastStep(path string) string {
	steps := design.Split(path)
	if len(steps) == 0 {
		return path
	}
	return steps[len(steps)-1]
}
