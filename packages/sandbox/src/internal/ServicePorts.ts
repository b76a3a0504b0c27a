/**
 * Chooses the port outside of the sandbox for a port inside: the same number, unless the user's programs expect another
 * service there.
 */

/**
 * Databases, queues, model servers, debuggers, container and cluster services: otherwise a command could impersonate
 * such a service.
 */
const services: ReadonlySet<number> = new Set([
  1080, 1433, 1521, 1883, 2049, 2181, 2222, 2375, 2376, 2377, 2379, 2380, 2881, 3128, 3260, 3306, 3389, 4222, 4369,
  5005, 5037, 5432, 5433, 5671, 5672, 5678, 5900, 5984, 6000, 6379, 6380, 6443, 6881, 7000, 7199, 7474, 7687, 8086,
  8123, 8125, 8200, 8300, 8301, 8500, 8600, 9000, 9042, 9050, 9051, 9090, 9092, 9160, 9200, 9222, 9229, 9300, 9418,
  10250, 10255, 11211, 11434, 1234, 15672, 26257, 27017, 27018, 28015, 33060, 50070, 61613, 61616
])

const firstOrdinary = 1024

/** 0: any free port. */
export const outsidePort = (port: number): number => (port < firstOrdinary || services.has(port) ? 0 : port)
