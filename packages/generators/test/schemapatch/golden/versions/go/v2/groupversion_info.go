// +groupName=demo.example.com
package v2
