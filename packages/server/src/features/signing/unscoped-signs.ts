import { type Route, sign } from '@symbolon/api'
import type { Audit } from '../audit/index.ts'

/** Records a request to sign with a key that may only read. */
export const unscopedSigns =
  (audit: Audit) =>
  async (
    route: Route,
    { organization, key }: { organization: { id: string }; key: { id: string } },
  ): Promise<void> => {
    if (route.id !== sign.id) return
    await audit.write({
      organizationId: organization.id,
      type: 'wallet.sign_refused',
      actorType: 'api_key',
      actorId: key.id,
      success: false,
      errorCode: 'insufficient_scope',
    })
  }
