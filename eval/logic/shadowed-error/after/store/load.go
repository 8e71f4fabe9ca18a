package store

func (s *Store) Load(id string) (Row, error) {
	row, err := s.primary.Load(id)
	if err != nil {
		s.log.Printf("primary is down: %v", err)
		row, err := s.replica.Load(id)
		if err == nil {
			s.cache.Put(id, row)
		}
	}
	return row, err
}
