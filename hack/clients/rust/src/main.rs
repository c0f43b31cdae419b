use k8s_openapi::api::authorization::v1::{ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec};
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, AttachParams, PostParams};
use kube::config::{Config, KubeConfigOptions, Kubeconfig};
use kube::Client;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let path = std::env::args().nth(1).ok_or("the path of a kubeconfig is missing")?;
    let kubeconfig = Kubeconfig::read_from(path)?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    let client = Client::try_from(config)?;
    let pods: Api<Pod> = Api::default_namespaced(client.clone());
    let result = serde_json::json!({
        "review": review(client).await?,
        "exec": run(&pods, "echo hi").await?.0,
        "code": run(&pods, "fail").await?.1,
        "attached": attach(&pods).await?,
        "forwarded": forward(&pods).await?,
    });
    println!("{result}");
    Ok(())
}

async fn review(client: Client) -> Result<bool, Failure> {
    let attributes = ResourceAttributes {
        verb: Some("get".into()),
        resource: Some("pods".into()),
        namespace: Some("default".into()),
        ..ResourceAttributes::default()
    };
    let review = SelfSubjectAccessReview {
        spec: SelfSubjectAccessReviewSpec { resource_attributes: Some(attributes), ..Default::default() },
        ..SelfSubjectAccessReview::default()
    };
    let answer = Api::all(client).create(&PostParams::default(), &review).await?;
    Ok(answer.status.is_some_and(|status| status.allowed))
}

async fn run(pods: &Api<Pod>, command: &str) -> Result<(String, i32), Failure> {
    let mut process = pods.exec("p", command.split(' '), &AttachParams::default().stderr(false)).await?;
    let status = process.take_status().ok_or("the status was taken")?;
    let mut text = String::new();
    process.stdout().ok_or("there is no output")?.read_to_string(&mut text).await?;
    let status = status.await.ok_or("there is no status")?;
    let causes = status.details.and_then(|details| details.causes).unwrap_or_default();
    let code = causes.first().and_then(|cause| cause.message.clone()).unwrap_or_default();
    Ok((text, code.parse().unwrap_or(0)))
}

async fn attach(pods: &Api<Pod>) -> Result<String, Failure> {
    let params = AttachParams::default().stdin(true).stderr(false);
    let mut process = pods.attach("p", &params).await?;
    let mut output = process.stdout().ok_or("there is no output")?;
    process.stdin().ok_or("there is no input")?.write_all(b"ping").await?;
    let text = read(&mut output, "heard ping".len()).await?;
    process.abort();
    Ok(text)
}

async fn forward(pods: &Api<Pod>) -> Result<String, Failure> {
    let mut forwarder = pods.portforward("p", &[80]).await?;
    let mut port = forwarder.take_stream(80).ok_or("the port was taken")?;
    port.write_all(b"ping").await?;
    read(&mut port, "echo ping".len()).await
}

async fn read(from: &mut (impl AsyncReadExt + Unpin), length: usize) -> Result<String, Failure> {
    let mut text = vec![0; length];
    from.read_exact(&mut text).await?;
    Ok(String::from_utf8(text)?)
}
