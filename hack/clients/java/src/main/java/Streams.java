import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Uses the streams of the Pod `p`, and prints the results as JSON. */
public class Streams {
  public static void main(String[] args) throws Exception {
    Config config = Config.fromKubeconfig(new File(args[0]));
    Map<String, Object> result = new LinkedHashMap<>();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      PodResource pod = client.pods().inNamespace("default").withName("p");
      result.put("review", review(client));
      result.put("exec", output(pod, "echo", "hi"));
      result.put("code", code(pod, "fail"));
      result.put("attached", attach(pod));
      result.put("forwarded", forward(pod));
      System.out.println(client.getKubernetesSerialization().asJson(result));
    }
  }

  private static boolean review(KubernetesClient client) {
    SelfSubjectAccessReview review = new SelfSubjectAccessReviewBuilder()
        .withNewSpec()
        .withNewResourceAttributes()
        .withVerb("get")
        .withResource("pods")
        .withNamespace("default")
        .endResourceAttributes()
        .endSpec()
        .build();
    return client.authorization().v1().selfSubjectAccessReview().create(review).getStatus().getAllowed();
  }

  private static String output(PodResource pod, String... command) throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (ExecWatch watch = pod.writingOutput(output).exec(command)) {
      watch.exitCode().get();
    }
    return output.toString(StandardCharsets.UTF_8);
  }

  private static int code(PodResource pod, String... command) throws Exception {
    try (ExecWatch watch = pod.writingOutput(OutputStream.nullOutputStream()).exec(command)) {
      return watch.exitCode().get();
    }
  }

  private static String attach(PodResource pod) throws Exception {
    BlockingQueue<Character> received = new LinkedBlockingQueue<>();
    OutputStream output = new OutputStream() {
      @Override
      public void write(int character) {
        received.add((char) character);
      }
    };
    try (ExecWatch watch = pod.redirectingInput().writingOutput(output).attach()) {
      watch.getInput().write("ping".getBytes(StandardCharsets.UTF_8));
      watch.getInput().flush();
      StringBuilder text = new StringBuilder();
      while (text.length() < "heard ping".length()) text.append(received.take());
      return text.toString();
    }
  }

  private static String forward(PodResource pod) throws Exception {
    try (LocalPortForward forward = pod.portForward(80);
        Socket socket = new Socket(forward.getLocalAddress(), forward.getLocalPort())) {
      socket.getOutputStream().write("ping".getBytes(StandardCharsets.UTF_8));
      return read(socket.getInputStream(), "echo ping".length());
    }
  }

  private static String read(InputStream input, int length) throws Exception {
    return new String(input.readNBytes(length), StandardCharsets.UTF_8);
  }
}
