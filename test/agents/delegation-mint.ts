import { join } from 'node:path'
import { openSecretsFile, systemIds } from '@symbolon/server/testing/adapters'
import { type DelegatingRun, delegationKey, mintDelegation } from '@symbolon/server/testing/agents'
import { platformKey } from '@symbolon/server/testing/organizations'
import { ownOrigin, type TestApp } from '@symbolon/testing/app'

/** Mints delegations as the platform of a test does. */
export function delegationMint({ sql, folder }: TestApp) {
  const { pepper } = openSecretsFile(join(folder, 'secrets.json'))
  const ctx = { sql, pepper, ids: systemIds(), issuer: ownOrigin, key: delegationKey(platformKey(pepper)) }
  return (parent: DelegatingRun, target: string): Promise<string> => mintDelegation(ctx, parent, target)
}
