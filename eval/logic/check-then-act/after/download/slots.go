package download

const slotsMax = 5

// Slots is shared by all request handlers.
type Slots struct {
	used int
}

// Take tells whether the caller may start a download.
func (s *Slots) Take() bool {
	if s.used >= slotsMax {
		return false
	}
	s.used++
	return true
}

// Give hands a slot back.
func (s *Slots) Give() {
	s.used--
}
