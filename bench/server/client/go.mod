module kubescaffold.dev/server-bench

go 1.26.0
