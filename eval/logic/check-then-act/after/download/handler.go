package download

import "net/http"

var slots Slots

func handle(w http.ResponseWriter, r *http.Request) {
	if !slots.Take() {
		http.Error(w, "busy", http.StatusTooManyRequests)
		return
	}
	defer slots.Give()
	http.ServeFile(w, r, "archive.zip")
}
