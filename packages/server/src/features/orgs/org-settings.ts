import type { ActorType } from '@symbolon/api'
import { type Failure, failure } from '../../runtime/failure.ts'
import { orgSettingsStore, type SettingsChange, type StoredSettings } from './org-settings.store.ts'
import type { OrgsCtx } from './orgs.ts'

/**
 * Changes how an organization appears and which pages it trusts, and returns all its settings. The audit event holds the changed ones,
 * before and after; without a change there is none. Takes parsed settings only.
 */
export function updateSettings(
  { sql, audit }: Pick<OrgsCtx, 'sql' | 'audit'>,
  organizationId: string,
  changes: SettingsChange,
  actor: { type: ActorType; id: string },
): Promise<StoredSettings | Failure<'not_found'>> {
  return sql.begin(async (tx) => {
    const before = await orgSettingsStore.lock(tx, organizationId)
    if (before === undefined) return failure('not_found')
    const after = { ...before, ...changes }
    const changed = (Object.keys(changes) as (keyof StoredSettings)[]).filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    )
    if (changed.length === 0) return before
    await orgSettingsStore.update(tx, organizationId, after)
    const only = (settings: StoredSettings) =>
      Object.fromEntries(changed.map((name) => [name, settings[name]]))
    await audit.append(tx, {
      organizationId,
      type: 'org.settings_updated',
      actorType: actor.type,
      actorId: actor.id,
      payload: { before: only(before), after: only(after) },
      success: true,
    })
    return after
  })
}
