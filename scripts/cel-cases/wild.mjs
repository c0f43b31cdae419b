// Rules in the style of projects that people install, written anew.
const gatewaySchema = {
  type: "object",
  properties: {
    listeners: {
      type: "array",
      maxItems: 64,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name", "port", "protocol"],
        properties: {
          name: { type: "string", maxLength: 253 },
          hostname: { type: "string", maxLength: 253 },
          port: { type: "integer", minimum: 1, maximum: 65535 },
          protocol: { type: "string", maxLength: 255 },
          tls: {
            type: "object",
            properties: {
              mode: { type: "string", enum: ["Terminate", "Passthrough"] },
              certificateRefs: {
                type: "array",
                maxItems: 64,
                items: { type: "object", properties: { name: { type: "string" } } },
              },
              options: { type: "object", additionalProperties: { type: "string" }, maxProperties: 16 },
            },
          },
        },
      },
    },
    addresses: {
      type: "array",
      maxItems: 16,
      items: { type: "object", properties: { type: { type: "string" }, value: { type: "string", maxLength: 253 } } },
    },
    rules: {
      type: "array",
      maxItems: 16,
      items: {
        type: "object",
        properties: {
          name: { type: "string" },
          matches: {
            type: "array",
            maxItems: 64,
            items: {
              type: "object",
              properties: {
                path: {
                  type: "object",
                  properties: { type: { type: "string" }, value: { type: "string", maxLength: 1024 } },
                },
                method: { type: "string" },
              },
            },
          },
          filters: {
            type: "array",
            maxItems: 16,
            items: {
              type: "object",
              properties: {
                type: { type: "string" },
                requestRedirect: {
                  type: "object",
                  properties: {
                    path: {
                      type: "object",
                      properties: { type: { type: "string" }, replacePrefixMatch: { type: "string" } },
                    },
                  },
                },
                urlRewrite: { type: "object", properties: { hostname: { type: "string" } } },
                requestMirror: {
                  type: "object",
                  properties: {
                    percent: { type: "integer" },
                    fraction: {
                      type: "object",
                      properties: { numerator: { type: "integer" }, denominator: { type: "integer" } },
                    },
                  },
                },
              },
            },
          },
          timeouts: {
            type: "object",
            properties: {
              request: { type: "string", pattern: "^([0-9]{1,5}(h|m|s|ms)){1,4}$" },
              backendRequest: { type: "string" },
            },
          },
          backendRefs: {
            type: "array",
            maxItems: 16,
            items: {
              type: "object",
              properties: {
                kind: { type: "string" },
                group: { type: "string" },
                name: { type: "string" },
                port: { type: "integer" },
                weight: { type: "integer" },
              },
            },
          },
        },
      },
    },
  },
};
const gateway = {
  listeners: [
    { name: "http", port: 80, protocol: "HTTP" },
    {
      name: "https",
      port: 443,
      protocol: "HTTPS",
      hostname: "example.com",
      tls: { mode: "Terminate", certificateRefs: [{ name: "cert" }] },
    },
  ],
  addresses: [
    { type: "IPAddress", value: "10.0.0.1" },
    { type: "Hostname", value: "gw.example.com" },
  ],
  rules: [
    {
      name: "r",
      matches: [{ path: { type: "PathPrefix", value: "/a" }, method: "GET" }],
      filters: [
        {
          type: "RequestRedirect",
          requestRedirect: { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/b" } },
        },
        { type: "RequestMirror", requestMirror: { fraction: { numerator: 1, denominator: 100 } } },
      ],
      timeouts: { request: "10s", backendRequest: "5s" },
      backendRefs: [{ kind: "Service", group: "", name: "web", port: 80, weight: 1 }],
    },
  ],
};
const gatewayRules = [
  "self.listeners.all(l, l.protocol in ['HTTP', 'TCP', 'UDP'] ? !has(l.tls) : true)",
  "self.listeners.all(l, (l.protocol == 'HTTPS' && has(l.tls)) ? (l.tls.mode == '' || l.tls.mode == 'Terminate') : true)",
  "self.listeners.all(l, l.protocol in ['TCP', 'UDP'] ? (!has(l.hostname) || l.hostname == '') : true)",
  "self.listeners.all(l1, self.listeners.exists_one(l2, l1.name == l2.name))",
  "self.listeners.all(l1, self.listeners.exists_one(l2, l1.port == l2.port && l1.protocol == l2.protocol && (has(l1.hostname) && has(l2.hostname) ? l1.hostname == l2.hostname : !has(l1.hostname) && !has(l2.hostname))))",
  "self.listeners.all(l, has(l.tls) && l.tls.mode == 'Terminate' ? size(l.tls.certificateRefs) > 0 || size(l.tls.options) > 0 : true)",
  "self.addresses.all(a1, a1.type == 'IPAddress' && has(a1.value) ? self.addresses.exists_one(a2, a2.type == a1.type && has(a2.value) && a2.value == a1.value) : true)",
  'self.addresses.all(a, a.type == \'Hostname\' ? (!has(a.value) || a.value.matches("""^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$""")) : true)',
  "self.addresses.all(a, a.type == 'IPAddress' ? ip(a.value).family() == 4 : true)",
  "self.rules.all(l1, !has(l1.name) || self.rules.exists_one(l2, has(l2.name) && l1.name == l2.name))",
  "self.rules.size() > 0 ? self.rules[0].matches.size() : 0",
  "(self.rules.size() > 0 ? self.rules[0].matches.size() : 0) + (self.rules.size() > 1 ? self.rules[1].matches.size() : 0) <= 128",
  "self.rules[0].matches.all(m, m.path.type == 'PathPrefix' ? m.path.value.startsWith('/') && !m.path.value.contains('//') : true)",
  'self.rules[0].matches.all(m, (m.path.type in [\'Exact\', \'PathPrefix\']) ? m.path.value.matches(r"""^(?:[-A-Za-z0-9/._~!$&\'()*+,;=:@]|[%][0-9a-fA-F]{2})+$""") : true)',
  "self.rules[0].filters.filter(f, f.type == 'RequestRedirect').size() <= 1",
  "!(self.rules[0].filters.exists(f, f.type == 'RequestRedirect') && self.rules[0].filters.exists(f, f.type == 'URLRewrite'))",
  "self.rules[0].filters.all(f, !(has(f.requestRedirect) && f.type != 'RequestRedirect'))",
  "self.rules[0].filters.all(f, !(!has(f.requestRedirect) && f.type == 'RequestRedirect'))",
  "(has(self.rules[0].backendRefs) && self.rules[0].backendRefs.size() > 0) ? (has(self.rules[0].filters) && self.rules[0].filters.exists_one(f, has(f.requestRedirect))) : true",
  "self.rules[0].filters.all(f, has(f.requestMirror) ? !(has(f.requestMirror.percent) && has(f.requestMirror.fraction)) : true)",
  "self.rules[0].filters.all(f, has(f.requestMirror) && has(f.requestMirror.fraction) ? f.requestMirror.fraction.numerator <= f.requestMirror.fraction.denominator : true)",
  "!(has(self.rules[0].timeouts.request) && has(self.rules[0].timeouts.backendRequest) && duration(self.rules[0].timeouts.request) != duration('0s') && duration(self.rules[0].timeouts.backendRequest) > duration(self.rules[0].timeouts.request))",
  "self.rules[0].backendRefs.all(b, (size(b.group) == 0 && b.kind == 'Service') ? has(b.port) : true)",
  "self.rules.map(r, r.backendRefs.map(b, b.weight).sum()).sum() <= 1000000",
  "self.rules.all(r, r.?timeouts.?request.optMap(t, duration(t) < duration('1h')).orValue(true))",
  "self.listeners.map(l, l.port).isSorted()",
  "self.listeners.filter(l, has(l.hostname)).all(l, !l.hostname.matches('^[0-9.]+$'))",
];

const certificateSchema = {
  type: "object",
  properties: {
    secretName: { type: "string" },
    commonName: { type: "string", maxLength: 64 },
    dnsNames: { type: "array", items: { type: "string" } },
    ipAddresses: { type: "array", items: { type: "string" } },
    uris: { type: "array", items: { type: "string" } },
    duration: { type: "string" },
    renewBefore: { type: "string" },
    renewBeforePercentage: { type: "integer" },
    issuerRef: {
      type: "object",
      properties: { name: { type: "string" }, kind: { type: "string" }, group: { type: "string" } },
    },
    privateKey: {
      type: "object",
      properties: {
        algorithm: { type: "string", enum: ["RSA", "ECDSA", "Ed25519"] },
        size: { type: "integer" },
        rotationPolicy: { type: "string" },
      },
    },
    keystores: {
      type: "object",
      properties: {
        jks: {
          type: "object",
          properties: {
            create: { type: "boolean" },
            password: { type: "string" },
            passwordSecretRef: { type: "object", properties: { name: { type: "string" } } },
          },
        },
      },
    },
    usages: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
  },
};
const certificate = {
  secretName: "tls",
  commonName: "example.com",
  dnsNames: ["example.com", "www.example.com"],
  ipAddresses: ["10.0.0.1", "::1"],
  uris: ["spiffe://cluster.local/ns/a/sa/b"],
  duration: "2160h",
  renewBefore: "360h",
  issuerRef: { name: "ca", kind: "ClusterIssuer", group: "cert-manager.io" },
  privateKey: { algorithm: "RSA", size: 2048, rotationPolicy: "Always" },
  keystores: { jks: { create: true, password: "x" } },
  usages: ["digital signature", "key encipherment"],
};
const certificateRules = [
  "has(self.commonName) || size(self.dnsNames) > 0",
  "!has(self.renewBefore) || !has(self.renewBeforePercentage)",
  "duration(self.renewBefore) < duration(self.duration)",
  "!has(self.privateKey) || self.privateKey.algorithm != 'RSA' || self.privateKey.size in [2048, 4096, 8192]",
  "self.privateKey.algorithm == 'Ed25519' ? !has(self.privateKey.size) : true",
  "self.dnsNames.all(n, n.size() <= 253 && n.matches('^[a-z0-9.*-]+$'))",
  "self.dnsNames.all(n, !format.dns1123Subdomain().validate(n.startsWith('*.') ? n.substring(2) : n).hasValue())",
  "self.ipAddresses.all(a, isIP(a))",
  "self.ipAddresses.map(a, ip(a).family()).distinct().sort()",
  "self.uris.all(u, isURL(u) && url(u).getScheme() in ['spiffe', 'https'])",
  "self.issuerRef.kind in ['Issuer', 'ClusterIssuer'] && self.issuerRef.group == 'cert-manager.io'",
  "[has(self.keystores.jks.password), has(self.keystores.jks.passwordSecretRef)].exists_one(x, x)",
  "has(self.keystores.jks.password) != has(self.keystores.jks.passwordSecretRef)",
  "'digital signature' in self.usages",
  "self.usages == ['key encipherment', 'digital signature']",
  "self.?privateKey.?size.orValue(2048) >= 2048",
  "self.commonName in self.dnsNames || size(self.dnsNames) == 0",
  "'certificate %s for %s is not valid'.format([self.secretName, self.dnsNames.join(', ')])",
  "'must be one of: ' + self.usages.join(', ')",
];

const karpenterSchema = {
  type: "object",
  properties: {
    requirements: {
      type: "array",
      maxItems: 100,
      items: {
        type: "object",
        required: ["key", "operator"],
        properties: {
          key: { type: "string", maxLength: 316 },
          operator: { type: "string" },
          values: { type: "array", maxItems: 50, items: { type: "string" } },
          minValues: { type: "integer" },
        },
      },
    },
    labels: { type: "object", additionalProperties: { type: "string", maxLength: 63 }, maxProperties: 100 },
    taints: {
      type: "array",
      items: { type: "object", properties: { key: { type: "string" }, effect: { type: "string" } } },
    },
    disruption: {
      type: "object",
      properties: {
        consolidateAfter: { type: "string" },
        consolidationPolicy: { type: "string" },
        budgets: {
          type: "array",
          maxItems: 50,
          items: {
            type: "object",
            properties: {
              nodes: { type: "string" },
              schedule: { type: "string" },
              duration: { type: "string" },
              reasons: { type: "array", items: { type: "string" } },
            },
          },
        },
      },
    },
    limits: { type: "object", additionalProperties: { "x-kubernetes-int-or-string": true } },
    kubelet: {
      type: "object",
      properties: {
        evictionHard: { type: "object", additionalProperties: { type: "string" } },
        evictionSoft: { type: "object", additionalProperties: { type: "string" } },
        evictionSoftGracePeriod: { type: "object", additionalProperties: { type: "string" } },
        imageGCHighThresholdPercent: { type: "integer" },
        imageGCLowThresholdPercent: { type: "integer" },
        systemReserved: { type: "object", additionalProperties: { type: "string" } },
      },
    },
    amiFamily: { type: "string" },
    amiSelectorTerms: {
      type: "array",
      maxItems: 30,
      items: {
        type: "object",
        properties: {
          alias: { type: "string", maxLength: 30 },
          id: { type: "string" },
          name: { type: "string" },
          owner: { type: "string" },
          tags: { type: "object", additionalProperties: { type: "string" } },
        },
      },
    },
    role: { type: "string" },
    instanceProfile: { type: "string" },
    blockDeviceMappings: {
      type: "array",
      items: {
        type: "object",
        properties: {
          rootVolume: { type: "boolean" },
          ebs: {
            type: "object",
            properties: { volumeSize: { "x-kubernetes-int-or-string": true }, snapshotID: { type: "string" } },
          },
        },
      },
    },
    metadataOptions: { type: "object", properties: { httpPutResponseHopLimit: { type: "integer" } } },
  },
};
const karpenter = {
  requirements: [
    { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
    { key: "karpenter.sh/capacity-type", operator: "In", values: ["spot", "on-demand"], minValues: 1 },
    { key: "example.com/generation", operator: "Gt", values: ["2"] },
    { key: "node.kubernetes.io/instance-type", operator: "Exists" },
  ],
  labels: { team: "a", "example.com/x": "y" },
  taints: [{ key: "a", effect: "NoSchedule" }],
  disruption: {
    consolidateAfter: "Never",
    consolidationPolicy: "WhenEmpty",
    budgets: [{ nodes: "10%", schedule: "0 9 * * 1-5", duration: "8h", reasons: ["Drifted"] }],
  },
  limits: { cpu: 1000, memory: "1000Gi" },
  kubelet: {
    evictionHard: { "memory.available": "5%" },
    evictionSoft: { "memory.available": "500Mi" },
    evictionSoftGracePeriod: { "memory.available": "1m" },
    imageGCHighThresholdPercent: 85,
    imageGCLowThresholdPercent: 80,
    systemReserved: { cpu: "100m" },
  },
  amiFamily: "AL2023",
  amiSelectorTerms: [{ alias: "al2023@latest" }],
  role: "node-role",
  blockDeviceMappings: [{ rootVolume: true, ebs: { volumeSize: "100Gi" } }, { ebs: { volumeSize: 20 } }],
  metadataOptions: { httpPutResponseHopLimit: 1 },
};
const karpenterRules = [
  "self.requirements.all(x, x.operator == 'In' ? x.values.size() != 0 : true)",
  "self.requirements.all(x, (x.operator == 'Gt' || x.operator == 'Lt') ? (x.values.size() == 1 && int(x.values[0]) >= 0) : true)",
  "self.requirements.all(x, (x.operator == 'In' && has(x.minValues)) ? x.values.size() >= x.minValues : true)",
  "self.requirements.all(x, x.key in ['beta.kubernetes.io/instance-type', 'kubernetes.io/arch', 'karpenter.sh/capacity-type', 'node.kubernetes.io/instance-type'] || !x.key.find('^([^/]+)').endsWith('kubernetes.io'))",
  "self.requirements.all(x, x.key.find('^([^/]+)').endsWith('karpenter.sh') ? x.key in ['karpenter.sh/capacity-type', 'karpenter.sh/nodepool'] : true)",
  "self.labels.all(x, x != 'karpenter.sh/nodepool')",
  "self.labels.all(x, x in ['example.com/x'] || !x.find('^([^/]+)').endsWith('k8s.io'))",
  "has(self.disruption.consolidateAfter) ? self.disruption.consolidationPolicy != 'WhenUnderutilized' || self.disruption.consolidateAfter == 'Never' : true",
  "self.disruption.budgets.all(x, has(x.schedule) == has(x.duration))",
  "self.disruption.budgets.all(x, x.nodes.matches('^((100|[0-9]{1,2})%|[0-9]+)$'))",
  "['memory.available', 'nodefs.available'].all(x, x in self.kubelet.evictionSoft ? x in self.kubelet.evictionSoftGracePeriod : true)",
  "has(self.kubelet.evictionSoft) ? self.kubelet.evictionSoft.all(e, (e in self.kubelet.evictionSoftGracePeriod)) : true",
  "self.kubelet.evictionSoftGracePeriod.all(e, duration(self.kubelet.evictionSoftGracePeriod[e]) > duration('0s'))",
  "has(self.kubelet.imageGCHighThresholdPercent) && has(self.kubelet.imageGCLowThresholdPercent) ? self.kubelet.imageGCHighThresholdPercent > self.kubelet.imageGCLowThresholdPercent : true",
  "self.kubelet.systemReserved.all(x, x == 'cpu' || x == 'memory' || x == 'ephemeral-storage' || x == 'pid')",
  "self.kubelet.systemReserved.all(x, !self.kubelet.systemReserved[x].startsWith('-'))",
  "self.limits.all(k, isQuantity(string(self.limits[k])))",
  "quantity(string(self.limits.cpu)).isGreaterThan(quantity('100'))",
  "quantity(self.limits.memory).compareTo(quantity('1Ti')) < 0",
  "self.amiSelectorTerms.exists(x, has(x.alias)) ? self.amiSelectorTerms.size() == 1 : true",
  "self.amiSelectorTerms.all(x, has(x.tags) || has(x.id) || has(x.name) || has(x.alias))",
  "!self.amiSelectorTerms.exists(x, has(x.id) && (has(x.alias) || has(x.tags) || has(x.name) || has(x.owner)))",
  "self.amiSelectorTerms[0].alias.matches('^[a-zA-Z0-9]+@.+$')",
  "self.amiSelectorTerms[0].alias.find('^[^@]+') in ['al2', 'al2023', 'bottlerocket', 'windows2019', 'windows2022']",
  "!(self.amiSelectorTerms[0].alias.find('^[^@]+') == 'windows2019' && self.amiSelectorTerms[0].alias.find('[^@]+$') != 'latest')",
  "(has(self.role) && !has(self.instanceProfile)) || (!has(self.role) && has(self.instanceProfile))",
  "self.blockDeviceMappings.filter(x, has(x.rootVolume) ? x.rootVolume == true : false).size() <= 1",
  "self.blockDeviceMappings.all(x, has(x.ebs.snapshotID) || has(x.ebs.volumeSize))",
  "self.blockDeviceMappings.all(x, type(x.ebs.volumeSize) == string ? x.ebs.volumeSize.endsWith('Gi') : x.ebs.volumeSize > 0)",
  "self.metadataOptions.httpPutResponseHopLimit >= 1 && self.metadataOptions.httpPutResponseHopLimit <= 64",
  "self.taints.all(t, t.effect in ['NoSchedule', 'PreferNoSchedule', 'NoExecute'])",
  "self.taints.map(t, t.key + ':' + t.effect).size() == sets.intersects(self.taints.map(t, t.key), ['a']) ? 1 : 0",
  "dyn(self.limits).all(k, k != '')",
];

const databaseSchema = {
  type: "object",
  properties: {
    instances: { type: "integer", minimum: 1 },
    minSyncReplicas: { type: "integer" },
    maxSyncReplicas: { type: "integer" },
    imageName: { type: "string" },
    version: { type: "string" },
    storage: { type: "object", properties: { size: { type: "string" }, storageClass: { type: "string" } } },
    bootstrap: {
      type: "object",
      properties: {
        initdb: { type: "object", properties: { database: { type: "string" }, walSegmentSize: { type: "integer" } } },
        recovery: { type: "object", properties: { source: { type: "string" } } },
      },
    },
    replicas: {
      type: "array",
      items: { type: "object", properties: { zone: { type: "string" }, weight: { type: "number" } } },
    },
    parameters: { type: "object", additionalProperties: { type: "string" } },
    window: {
      type: "object",
      properties: {
        start: { type: "string", format: "date-time" },
        end: { type: "string", format: "date-time" },
        every: { type: "string", format: "duration" },
      },
    },
    networks: { type: "array", items: { type: "string" } },
    owner: { type: "string", nullable: true },
    paused: { type: "boolean" },
  },
};
const database = {
  instances: 3,
  minSyncReplicas: 1,
  maxSyncReplicas: 2,
  imageName: "ghcr.io/example/postgres:16.4",
  version: "16.4.0",
  storage: { size: "10Gi" },
  bootstrap: { initdb: { database: "app", walSegmentSize: 16 } },
  replicas: [
    { zone: "a", weight: 0.5 },
    { zone: "b", weight: 0.5 },
  ],
  parameters: { max_connections: "100", shared_buffers: "256MB" },
  window: { start: "2024-01-01T00:00:00Z", end: "2024-01-02T00:00:00Z", every: "24h" },
  networks: ["10.0.0.0/8", "192.168.0.0/16"],
  owner: null,
  paused: false,
};
const oldDatabase = {
  ...database,
  instances: 2,
  version: "15.8.0",
  storage: { size: "5Gi" },
  networks: ["10.0.0.0/8"],
  paused: true,
};
const databaseRules = [
  "self.minSyncReplicas <= self.maxSyncReplicas && self.maxSyncReplicas < self.instances",
  "[has(self.bootstrap.initdb), has(self.bootstrap.recovery)].filter(x, x).size() == 1",
  "!has(self.bootstrap.initdb.walSegmentSize) || self.bootstrap.initdb.walSegmentSize in [1, 2, 4, 8, 16, 32, 64]",
  "self.imageName.split(':').size() == 2 && self.imageName.split(':')[1] != 'latest'",
  "self.imageName.matches('^[a-z0-9./-]+(:[\\\\w][\\\\w.-]{0,127})?(@sha256:[a-f0-9]{64})?$')",
  "isSemver(self.version) && semver(self.version).major() >= 12",
  "semver(self.version).isGreaterThan(semver(oldSelf.version))",
  "semver(self.version).major() - semver(oldSelf.version).major() <= 1",
  "quantity(self.storage.size).compareTo(quantity(oldSelf.storage.size)) >= 0",
  "self.storage.storageClass == oldSelf.storage.storageClass",
  "has(self.storage.storageClass) == has(oldSelf.storage.storageClass)",
  "self.?storage.?storageClass == oldSelf.?storage.?storageClass",
  "self.instances >= oldSelf.instances || oldSelf.paused",
  "self.bootstrap == oldSelf.bootstrap",
  "self.replicas.map(r, r.weight).sum() == 1.0",
  "self.replicas.map(r, r.zone).distinct().size() == self.replicas.size()",
  "self.replicas.all(i, r, i == 0 || r.zone != self.replicas[i - 1].zone)",
  "self.parameters.all(k, k.matches('^[a-z_.]+$') && !(k in ['port', 'listen_addresses']))",
  "int(self.parameters['max_connections']) <= 1000",
  "self.parameters.exists(k, v, k == 'shared_buffers' && v.endsWith('MB'))",
  "'max_wal_size' in self.parameters ? self.parameters['max_wal_size'] != '' : true",
  "self.window.end - self.window.start >= self.window.every",
  "self.window.start < self.window.end && self.window.start.getDayOfWeek() == 1",
  "self.networks.all(n, isCIDR(n) && cidr(n).prefixLength() >= 8)",
  "self.networks.all(n, cidr(n) == cidr(n).masked())",
  "oldSelf.networks.all(n, n in self.networks)",
  "self.networks.exists(n, cidr(n).containsIP('10.1.2.3'))",
  "sets.contains(self.networks, oldSelf.networks)",
  "has(self.owner) ? self.owner != '' : true",
  "self.owner == null || self.owner.size() > 0",
  "!self.paused || self.instances == 0",
  "'instances: %d, was %d'.format([self.instances, oldSelf.instances])",
  "self.instances == oldSelf.instances ? '' : 'changed from ' + string(oldSelf.instances) + ' to ' + string(self.instances)",
  "self.instance > 1",
  "self.storage.size > 1",
  "self.storage.size.isGreaterThan(quantity('1'))",
  "self.replicas.all(r, r.weight > 0)",
  "self.replicas.all(r, r.wieght > 0.0)",
  "self.replicas.map(r, r.weight) == [0.5, 0.5]",
  "self.parameters.max_connections.toInt() > 5",
];

export const wild = [
  { schema: gatewaySchema, self: gateway, expressions: gatewayRules },
  { schema: certificateSchema, self: certificate, expressions: certificateRules },
  { schema: karpenterSchema, self: karpenter, expressions: karpenterRules },
  { schema: databaseSchema, self: database, oldSelf: oldDatabase, expressions: databaseRules },
];
