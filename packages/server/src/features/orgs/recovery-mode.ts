import type { ActorType, Fail } from '@symbolon/api'
import type { Queryable, Sql } from '../../db/pool.ts'
import type { Audit } from '../audit/index.ts'
import type { OwnerNotices } from '../members/index.ts'

/** Who keeps the recovery shares that are written from now on. */
export type RecoveryMode = 'service_managed' | 'customer_managed'

/** The recovery mode of organizations. */
export function recoveryMode({ sql, audit, notices }: { sql: Sql; audit: Audit; notices: OwnerNotices }) {
  return {
    /** The mode right now. */
    async of(organizationId: string): Promise<RecoveryMode> {
      const rows = await sql<{ mode: RecoveryMode }[]>`
        select recovery_mode as mode from organizations where id = ${organizationId}`
      if (rows[0] === undefined) throw new Error('The organization is gone.')
      return rows[0].mode
    },

    /** Changes it; shares that are stored stay where they are. A mode that is set already is no event. */
    async set(
      organizationId: string,
      mode: RecoveryMode,
      actor: { type: ActorType; id: string; name?: string },
      fail: Fail<'not_found'>,
    ): Promise<void> {
      await sql.begin(async (tx) => {
        const before = await lockedMode(tx, organizationId)
        if (before === undefined) throw fail('not_found')
        if (before === mode) return
        await tx`update organizations set recovery_mode = ${mode}, updated_at = app_now() where id = ${organizationId}`
        await audit.append(tx, {
          organizationId,
          type: 'org.recovery_mode_updated',
          actorType: actor.type,
          actorId: actor.id,
          payload: { before, after: mode },
          success: true,
        })
        const by = actor.name ?? actor.type
        await notices.queue(tx, organizationId, { changed: 'the recovery mode was changed', by })
      })
      notices.nudge()
    },
  }
}

/** The recovery mode of organizations. */
export type RecoveryModes = ReturnType<typeof recoveryMode>

async function lockedMode(tx: Queryable, organizationId: string): Promise<RecoveryMode | undefined> {
  const rows = await tx<{ mode: RecoveryMode }[]>`
    select recovery_mode as mode from organizations where id = ${organizationId} for no key update`
  return rows[0]?.mode
}
