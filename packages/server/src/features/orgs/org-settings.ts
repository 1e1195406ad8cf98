import type { ActorType, Fail } from '@symbolon/api'
import type { Sql } from '../../db/pool.ts'
import type { Audit } from '../audit/index.ts'
import { orgSettingsStore, type SettingsChange, type StoredSettings } from './org-settings.store.ts'

/** How an organization appears, and which pages it trusts. */
export function orgSettings({ sql, audit }: { sql: Sql; audit: Audit }) {
  return {
    /**
     * Changes what is given and answers all settings; the event tells the changed ones before and after. Settings that are
     * set already are no event. Takes parsed settings only.
     */
    async update(
      organizationId: string,
      changes: SettingsChange,
      actor: { type: ActorType; id: string },
      fail: Fail<'not_found'>,
    ): Promise<StoredSettings> {
      return sql.begin(async (tx) => {
        const before = await orgSettingsStore.lock(tx, organizationId)
        if (before === undefined) throw fail('not_found')
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
    },
  }
}

/** The settings of organizations. */
export type OrgSettings = ReturnType<typeof orgSettings>
