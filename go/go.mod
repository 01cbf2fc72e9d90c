module github.com/haversack/haversack/go

go 1.19
