"""Uses the streams of the Pod `p`, and prints the results as JSON."""

import json
import sys

from kubernetes import client, config
from kubernetes.stream import portforward, stream

config.load_kube_config(sys.argv[1])
core = client.CoreV1Api()


def review():
    attributes = client.V1ResourceAttributes(verb="get", resource="pods", namespace="default")
    spec = client.V1SelfSubjectAccessReviewSpec(resource_attributes=attributes)
    body = client.V1SelfSubjectAccessReview(spec=spec)
    return client.AuthorizationV1Api().create_self_subject_access_review(body).status.allowed


def output(*command):
    return stream(core.connect_get_namespaced_pod_exec, "p", "default", command=list(command), stdout=True, stderr=True)


def code(*command):
    process = stream(
        core.connect_get_namespaced_pod_exec,
        "p",
        "default",
        command=list(command),
        stdout=True,
        stderr=True,
        _preload_content=False,
    )
    process.run_forever()
    return process.returncode


def attach():
    process = stream(
        core.connect_get_namespaced_pod_attach,
        "p",
        "default",
        stdin=True,
        stdout=True,
        stderr=False,
        _preload_content=False,
    )
    process.write_stdin("ping")
    text = ""
    while len(text) < len("heard ping"):
        text += process.read_stdout(timeout=10)
    process.close()
    return text


def forward():
    socket = portforward(core.connect_get_namespaced_pod_portforward, "p", "default", ports="80").socket(80)
    socket.sendall(b"ping")
    data = b""
    while len(data) < len("echo ping"):
        data += socket.recv(100)
    return data.decode()


result = {
    "review": review(),
    "exec": output("echo", "hi"),
    "code": code("fail"),
    "attached": attach(),
    "forwarded": forward(),
}
print(json.dumps(result))
