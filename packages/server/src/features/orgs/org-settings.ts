import type { ActorType } from '@symbolon/api'
import { type Failure, failure, isFailure } from '../../runtime/failure.ts'
import { orgSettingsStore, type SettingsChange, type StoredSettings } from './org-settings.store.ts'
import type { OrgsCtx } from './orgs.ts'

/** Who changes settings. Only an owner takes protections away from users; `name` is what owners read in their emails. */
export type SettingsActor = { type: ActorType; id: string; name?: string; isOwner: boolean }

/**
 * Changes how an organization appears, which pages it trusts and how it protects users, and returns all its settings. The audit event
 * holds the changed ones, before and after, and owners get an email about those that matter to an attacker; without a change there is
 * neither. Takes parsed settings only.
 */
export async function updateSettings(
  { sql, audit, notices }: Pick<OrgsCtx, 'sql' | 'audit' | 'notices'>,
  organizationId: string,
  changes: SettingsChange,
  actor: SettingsActor,
): Promise<StoredSettings | Failure<'not_found' | 'forbidden'>> {
  const settings = await sql.begin(async (tx) => {
    const before = await orgSettingsStore.lock(tx, organizationId)
    if (before === undefined) return failure('not_found')
    const after = { ...before, ...changes }
    const changed = (Object.keys(changes) as (keyof StoredSettings)[]).filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    )
    if (changed.length === 0) return before
    if (isWeaker(before, after) && !actor.isOwner) return failure('forbidden', { message: ownersOnly })
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
    const reported = changed.flatMap((name) => noticeOf(name, after) ?? [])
    if (reported.length > 0)
      await notices.queue(tx, organizationId, {
        changed: reported.join(', and '),
        by: actor.name ?? actor.type,
      })
    return after
  })
  if (!isFailure(settings)) notices.nudge()
  return settings
}

const ownersOnly =
  'Only an owner can turn off the confirmation of signatures, shorten the delay of recoveries and exports, or change the trusted clients.'

/** Whether the change takes a protection away from users. */
const isWeaker = (before: StoredSettings, after: StoredSettings): boolean =>
  (before.sign_confirmation && !after.sign_confirmation) ||
  after.high_risk_delay_seconds < before.high_risk_delay_seconds ||
  JSON.stringify(after.trusted_clients) !== JSON.stringify(before.trusted_clients)

/** What owners are told about a changed setting; nothing about branding. */
function noticeOf(name: keyof StoredSettings, after: StoredSettings): string | undefined {
  const onOrOff = (isOn: boolean) => (isOn ? 'on' : 'off')
  switch (name) {
    case 'allowed_origins':
      return 'the allowed origins were changed'
    case 'sign_confirmation':
      return `the confirmation of signatures was turned ${onOrOff(after.sign_confirmation)}`
    case 'export_enabled':
      return `the export of private keys was turned ${onOrOff(after.export_enabled)}`
    case 'high_risk_delay_seconds':
      return `the delay of recoveries and exports was set to ${after.high_risk_delay_seconds} seconds`
    case 'trusted_clients':
      return 'the trusted clients were changed'
    case 'receipts':
      return `receipts of all signatures were turned ${onOrOff(after.receipts)}`
    default:
      return undefined
  }
}
