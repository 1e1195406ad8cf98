/**
 * Command line settings of the embedded server. Acknowledged commits are on the disk (`fsync`, `synchronous_commit`);
 * no replicas exist unless `more` says so, so the write-ahead log is minimal; failed statements are not logged, for they may hold secrets.
 */
export function postgresSettings({
  port,
  isDurable,
  more = {},
}: {
  port: number
  isDurable: boolean
  more?: Record<string, string | number>
}): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    max_connections: 100,
    shared_buffers: '128MB',
    fsync: isDurable ? 'on' : 'off',
    full_page_writes: isDurable ? 'on' : 'off',
    synchronous_commit: 'on',
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_wal_size: '1GB',
    checkpoint_timeout: '10min',
    max_parallel_workers_per_gather: 0,
    max_logical_replication_workers: 0,
    io_method: 'sync',
    jit: 'off',
    random_page_cost: 1.1,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...more,
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
