import type { DevFile } from './dev-file.ts'

/**
 * The one short table that a started platform prints: addresses, demo credentials, what is still being built, and that its attestation is
 * simulated.
 */
export function readyTable(
  file: DevFile,
  { devFile, seconds, missing }: { devFile: string; seconds: number; missing: readonly string[] },
): string {
  const { client, tee } = file.organizations
  const row = (name: string, value: string): [string, string] => [name, value]
  const rows: [string, string][] = [
    ['platform', file.base_url],
    ['portal', `${file.portal_url} (as ${file.portal.email})`],
    ['demo', file.demo_url],
    ['documentation', `${file.base_url}/docs`],
    ['reference', file.reference_url],
    ['mailbox', file.mailbox_url],
    ['wallet frame', file.frame_url],
    ['metrics', file.metrics_url],
    ...(file.chain === undefined
      ? []
      : [row('local chain', `${file.chain.rpc_url} (${file.chain.chain_id}), still starting`)]),
    ['demo, TEE mode', `organization ${tee.id}`],
    ['  publishable key', tee.publishable_key],
    ['  secret key', tee.secret_key],
    ['demo, client mode', `organization ${client.id}`],
    ['  publishable key', client.publishable_key],
    ['  secret key', client.secret_key],
    ['saved in', devFile],
    ...(missing.length === 0
      ? []
      : [row('still being built', `${missing.join(', ')}: about a minute, until "assets: all are built"`)]),
  ]
  const lines = rows.map(([name, value]) => `  ${`${name}:`.padEnd(20)} ${value}`)
  return [
    `Symbolon is ready (${seconds.toFixed(1)} s). Ctrl-C stops it.`,
    '',
    'attestation: SIMULATED (development only)',
    '',
    ...lines,
    '',
  ].join('\n')
}
