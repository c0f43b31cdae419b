// Runs commands, attaches, and forwards ports over SPDY with client-go, as operators in Go do.
// Arguments: the path of a kubeconfig, a Pod of the namespace default, and the operation with its arguments. Standard streams are those of the container.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"

	"k8s.io/apimachinery/pkg/util/httpstream"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/transport/spdy"
	"k8s.io/client-go/util/exec"
)

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	exitOn(err)
	base, err := url.Parse(config.Host)
	exitOn(err)
	pod, operation, args := os.Args[2], os.Args[3], os.Args[4:]
	at := *base
	at.Path = "/api/v1/namespaces/default/pods/" + pod + "/" + operation
	switch operation {
	case "portforward":
		exitOn(forward(config, &at, args))
	default:
		exitOn(command(config, &at, args[0], args[1] == "tty", args[2:]))
	}
}

type size struct{ sent bool }

func (s *size) Next() *remotecommand.TerminalSize {
	if s.sent {
		return nil
	}
	s.sent = true
	return &remotecommand.TerminalSize{Width: 120, Height: 40}
}

func command(config *rest.Config, at *url.URL, protocol string, tty bool, words []string) error {
	query := url.Values{"stdin": {"true"}, "stdout": {"true"}, "command": words}
	options := remotecommand.StreamOptions{Stdin: os.Stdin, Stdout: os.Stdout, Tty: tty}
	if tty {
		query.Set("tty", "true")
		options.TerminalSizeQueue = &size{}
	} else {
		query.Set("stderr", "true")
		options.Stderr = os.Stderr
	}
	at.RawQuery = query.Encode()
	transport, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		return err
	}
	executor, err := remotecommand.NewSPDYExecutorForProtocols(transport, upgrader, http.MethodPost, at, protocol)
	if protocol == "default" {
		executor, err = remotecommand.NewSPDYExecutor(config, http.MethodPost, at)
	}
	if err != nil {
		return err
	}
	return executor.StreamWithContext(context.Background(), options)
}

// Sends standard input to a port, and prints the answer; with two ports, to both at once.
func forward(config *rest.Config, at *url.URL, ports []string) error {
	transport, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		return err
	}
	connection, protocol, err := spdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, at).Dial(portforward.PortForwardProtocolV1Name)
	if err != nil {
		return err
	}
	defer connection.Close()
	fmt.Println(protocol)
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	for index, port := range ports {
		headers := func(kind string) http.Header {
			return http.Header{"Streamtype": {kind}, "Port": {port}, "Requestid": {fmt.Sprint(index)}}
		}
		failures, err := connection.CreateStream(headers("error"))
		if err != nil {
			return err
		}
		failures.Close()
		data, err := connection.CreateStream(headers("data"))
		if err != nil {
			return err
		}
		if err := exchange(data, input); err != nil {
			return err
		}
		text, err := io.ReadAll(failures)
		fmt.Printf("\nerror: %s\n", text)
		if err != nil {
			return err
		}
	}
	return nil
}

func exchange(data httpstream.Stream, input []byte) error {
	data.Write(input)
	data.Close()
	_, err := io.Copy(os.Stdout, data)
	return err
}

func exitOn(err error) {
	if err == nil {
		return
	}
	fmt.Fprint(os.Stderr, err)
	var status exec.CodeExitError
	if errors.As(err, &status) {
		os.Exit(status.Code)
	}
	os.Exit(101)
}
