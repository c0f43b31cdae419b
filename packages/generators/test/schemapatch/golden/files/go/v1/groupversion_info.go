// +groupName=demo.example.com
package v1
