/** The lists of a Pod's status with an entry for each container. */
export const CONTAINER_STATUSES = {
  containers: "containerStatuses",
  initContainers: "initContainerStatuses",
  ephemeralContainers: "ephemeralContainerStatuses",
} as const;
