package subject

import (
	"fmt"
	"math"
	"strings"
)

// Domain says how many distinct values a token may have.
type Domain struct {
	Name   string `json:"name"`
	Values int64  `json:"values"`
}

// Factor is one token of a template in a Cardinality.
type Factor struct {
	Token  string `json:"token"`
	Values int64  `json:"values"` // 1 for a literal
}

// Cardinality is the number of distinct subjects that a template can make.
type Cardinality struct {
	Template string   `json:"template"`
	Subjects int64    `json:"subjects"` // the product, capped at MaxInt64
	Capped   bool     `json:"capped"`
	Factors  []Factor `json:"factors"`
	Formula  string   `json:"formula"` // "1 × 12 × 1 = 12"
}

// CardinalityOf multiplies the domains of a template such as
// "orders.{region}.created": {name} takes the values of the domain of that
// name, "*" the next domain without a name, and a literal counts once. A ">" is
// an error, because nothing bounds it: name its tokens. So is a placeholder
// without a domain, a domain below 1, and a token with a brace that is no
// placeholder: it was meant as one.
func CardinalityOf(template string, domains []Domain) (Cardinality, error) {
	c := Cardinality{Template: template, Subjects: 1}
	if r := refusalOf(template, firstFault(template, whitespace), ""); r != nil {
		return c, fmt.Errorf("%q is not a valid subject: %s", cut(template, maxClip), r.reason)
	}
	byName := map[string]int64{}
	var unnamed []int64
	for _, d := range domains {
		if d.Values < 1 {
			return c, fmt.Errorf("domain %q has %s values: write 1 or more", d.Name, grouped(d.Values))
		}
		if d.Name == "" || d.Name == One {
			unnamed = append(unnamed, d.Values)
			continue
		}
		byName[d.Name] = d.Values
	}
	for i, t := range Tokens(template) {
		values := int64(1)
		switch {
		case t == Rest:
			return c, fmt.Errorf("token %d is >, which any number of tokens can follow; name them, as in {region}.{id}", i+1)
		case t == One:
			if len(unnamed) == 0 {
				return c, fmt.Errorf("token %d is * and has no domain; give its number of values", i+1)
			}
			values, unnamed = unnamed[0], unnamed[1:]
		case strings.HasPrefix(t, "{") && strings.HasSuffix(t, "}") && len(t) > 2:
			v, ok := byName[t[1:len(t)-1]]
			if !ok {
				return c, fmt.Errorf("token %d, %s, has no domain; give its number of values", i+1, clip(t))
			}
			values = v
		case strings.ContainsAny(t, "{}"):
			return c, fmt.Errorf("token %d, %q, is no placeholder; a placeholder fills its token and is closed, as {region}", i+1, cut(t, maxClip))
		}
		c.multiply(t, values)
	}
	c.Formula = c.formula()
	return c, nil
}

func (c *Cardinality) multiply(token string, values int64) {
	c.Factors = append(c.Factors, Factor{token, values})
	if c.Subjects > math.MaxInt64/values {
		c.Subjects, c.Capped = math.MaxInt64, true
		return
	}
	c.Subjects *= values
}

func (c *Cardinality) formula() string {
	var b strings.Builder
	for i, f := range c.Factors {
		if i > 0 {
			b.WriteString(" × ")
		}
		b.WriteString(grouped(f.Values))
	}
	if c.Capped {
		return b.String() + " > 9.2e18"
	}
	b.WriteString(" = " + grouped(c.Subjects))
	return b.String()
}
