import { Counter, Gauge, type MetricsRegistry, oncePerRegistry } from "./registry.ts";

/** The metrics of storage migrations. */
interface StorageMigrationMetrics {
  readonly pending: Gauge<"crd">;
  readonly objects: Counter<"crd">;
  readonly errors: Counter<"crd">;
}

/** Returns the metrics of storage migrations of a registry. */
export const storageMigrationMetrics: (registry?: MetricsRegistry) => StorageMigrationMetrics = oncePerRegistry(
  (registry) => ({
    pending: new Gauge({
      name: "kubescaffold_storage_migration_pending",
      help: "Whether objects of a CRD may be stored in another version than its storage version, by CRD",
      labelNames: ["crd"],
      registers: [registry],
    }),
    objects: new Counter({
      name: "kubescaffold_storage_migration_objects_total",
      help: "Objects that this process rewrote in the storage version, by CRD",
      labelNames: ["crd"],
      registers: [registry],
    }),
    errors: new Counter({
      name: "kubescaffold_storage_migration_errors_total",
      help: "Failed attempts of storage migrations, by CRD",
      labelNames: ["crd"],
      registers: [registry],
    }),
  }),
);
