package studio

import "testing"

// TestUsualAddress: without an address the studio is where it was last time, and
// beside it when another one is there.
func TestUsualAddress(t *testing.T) {
	first, err := listen("")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := listen("")
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if second.Addr().String() == UsualAddr || second.Addr().String() == first.Addr().String() {
		t.Errorf("first at %s, second at %s", first.Addr(), second.Addr())
	}
}
