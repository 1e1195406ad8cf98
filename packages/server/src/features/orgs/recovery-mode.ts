import type { ActorType } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'
import { type Failure, failure } from '../../runtime/failure.ts'
import { orgModesStore, type RecoveryMode } from './org-modes.store.ts'
import type { OrgsCtx } from './orgs.ts'

/** The current recovery mode of an organization. */
export async function recoveryModeOf(sql: Queryable, organizationId: string): Promise<RecoveryMode> {
  const mode = await orgModesStore.recoveryMode(sql, organizationId)
  if (mode === undefined) throw new Error('The organization does not exist.')
  return mode
}

/** Changes the recovery mode; stored shares stay where they are. Setting the current mode again records no event. */
export async function setRecoveryMode(
  { sql, audit, notices }: Pick<OrgsCtx, 'sql' | 'audit' | 'notices'>,
  organizationId: string,
  mode: RecoveryMode,
  actor: { type: ActorType; id: string; name?: string },
): Promise<undefined | Failure<'not_found'>> {
  const refused = await sql.begin(async (tx) => {
    const before = await orgModesStore.lockRecoveryMode(tx, organizationId)
    if (before === undefined) return failure('not_found')
    if (before === mode) return undefined
    await orgModesStore.setRecoveryMode(tx, organizationId, mode)
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
    return undefined
  })
  if (refused === undefined) notices.nudge()
  return refused
}
