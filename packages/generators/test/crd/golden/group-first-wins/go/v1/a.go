// +groupName=first.example.com
// +versionName=v7
// +versionName=v8
package v1
