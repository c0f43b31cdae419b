// Serves exec and port-forward like a cluster: the handlers of kube-apiserver in front of those of a kubelet.
// Prints its address, and runs until it is interrupted. The path does not matter, except that exec ends with "exec".
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/signal"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/httpstream/wsstream"
	"k8s.io/apimachinery/pkg/util/proxy"
	"k8s.io/apimachinery/pkg/util/remotecommand"
	translator "k8s.io/apiserver/pkg/util/proxy"
	clientrc "k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/exec"
	"k8s.io/kubelet/pkg/cri/streaming/portforward"
	kubeletrc "k8s.io/kubelet/pkg/cri/streaming/remotecommand"
)

type runtime struct{}

func (runtime) ExecInContainer(ctx context.Context, name string, uid types.UID, container string, cmd []string, in io.Reader, out, errw io.WriteCloser, tty bool, resize <-chan clientrc.TerminalSize, timeout time.Duration) error {
	switch cmd[0] {
	case "cat":
		_, err := io.Copy(out, in)
		return err
	case "both":
		io.Copy(out, in)
		fmt.Fprint(errw, "oops\n")
		return exec.CodeExitError{Err: fmt.Errorf("exit status 3"), Code: 3}
	case "size":
		size := <-resize
		fmt.Fprintf(out, "%dx%d", size.Width, size.Height)
		return nil
	}
	return fmt.Errorf("no such command %q", cmd[0])
}

func (runtime) PortForward(ctx context.Context, name string, uid types.UID, port int32, stream io.ReadWriteCloser) error {
	if port == 81 {
		return fmt.Errorf("connection refused")
	}
	data, err := io.ReadAll(stream)
	if err != nil {
		return err
	}
	_, err = stream.Write(data)
	return err
}

type responder struct{}

func (responder) Error(w http.ResponseWriter, req *http.Request, err error) {
	http.Error(w, err.Error(), 500)
}

func main() {
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		q := req.URL.Query()
		if req.URL.Path == "/exec" {
			opts, err := kubeletrc.NewOptions(req)
			if err != nil {
				http.Error(w, err.Error(), 400)
				return
			}
			kubeletrc.ServeExec(w, req, runtime{}, "p", "uid", "c", q["command"], opts, time.Hour, 30*time.Second, remotecommand.SupportedStreamingProtocols)
			return
		}
		opts, err := portforward.NewV4Options(req)
		if err != nil {
			http.Error(w, err.Error(), 400)
			return
		}
		portforward.ServePortForward(w, req, runtime{}, "p", "uid", opts, time.Hour, 30*time.Second, portforward.SupportedProtocols)
	}))
	base, _ := url.Parse(backend.URL)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		q := req.URL.Query()
		location := *base
		on := func(name string) bool { return q.Get(name) == "true" }
		params := url.Values{"command": q["command"]}
		for flag, param := range map[string]string{"stdin": "input", "stdout": "output", "stderr": "error", "tty": "tty"} {
			if on(flag) {
				params.Set(param, "1")
			}
		}
		if len(req.URL.Path) > 4 && req.URL.Path[len(req.URL.Path)-4:] == "exec" {
			location.Path = "/exec"
			location.RawQuery = params.Encode()
			var handler http.Handler = proxy.NewUpgradeAwareHandler(&location, http.DefaultTransport, false, true, responder{})
			options := translator.Options{Stdin: on("stdin"), Stdout: on("stdout"), Stderr: on("stderr"), Tty: on("tty")}
			translate := translator.NewStreamTranslatorHandler(&location, http.DefaultTransport, 0, options)
			translator.NewTranslatingHandler(handler, translate, wsstream.IsWebSocketRequestWithStreamCloseProtocol).ServeHTTP(w, req)
			return
		}
		location.Path = "/portForward"
		handler := proxy.NewUpgradeAwareHandler(&location, http.DefaultTransport, false, true, responder{})
		translator.NewTranslatingHandler(handler, translator.NewTunnelingHandler(handler), wsstream.IsWebSocketRequestWithTunnelingProtocol).ServeHTTP(w, req)
	}))
	fmt.Println(front.URL)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	<-stop
}
