import type { UpdateOrganization } from '@symbolon/api'
import type * as z from 'zod'
import type { Queryable } from '../../db/pool.ts'

/** The settings that are to change, parsed. */
export type SettingsChange = z.output<typeof UpdateOrganization>

/** Every setting, as it is stored. */
export type StoredSettings = Required<SettingsChange>

/** The statements of organizations' settings; their names are the columns'. */
export const orgSettingsStore = {
  /** The settings, locked until the transaction ends. */
  async lock(tx: Queryable, organizationId: string): Promise<StoredSettings | undefined> {
    const rows = await tx<StoredSettings[]>`
      select name, logo_url, brand_color, support_email, allowed_origins, sign_confirmation, export_enabled,
        high_risk_delay_seconds, trusted_clients::text[] as trusted_clients, receipts
      from organizations where id = ${organizationId} for no key update`
    return rows[0] && { ...rows[0] }
  },

  async update(tx: Queryable, organizationId: string, settings: StoredSettings): Promise<void> {
    await tx`
      update organizations set name = ${settings.name}, logo_url = ${settings.logo_url},
        brand_color = ${settings.brand_color}, support_email = ${settings.support_email},
        allowed_origins = ${settings.allowed_origins}, sign_confirmation = ${settings.sign_confirmation},
        export_enabled = ${settings.export_enabled}, high_risk_delay_seconds = ${settings.high_risk_delay_seconds},
        trusted_clients = ${settings.trusted_clients}::text[]::inet[], receipts = ${settings.receipts},
        updated_at = app_now()
      where id = ${organizationId}`
  },
}
