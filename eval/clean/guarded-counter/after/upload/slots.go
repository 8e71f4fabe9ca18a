package upload

import "sync"

const slotsMax = 3

// Slots is shared by all request handlers.
type Slots struct {
	mu   sync.Mutex
	used int
}

// Take tells whether the caller may start an upload.
func (s *Slots) Take() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used >= slotsMax {
		return false
	}
	s.used++
	return true
}

// Give hands a slot back.
func (s *Slots) Give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used--
}
