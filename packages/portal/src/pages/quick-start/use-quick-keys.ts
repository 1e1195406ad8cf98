import { type Result, unwrap } from '@symbolon/sdk/portal'
import { useState } from 'react'
import { useOrganization } from '../../data/organization.tsx'
import { type Body, portalClient } from '../../data/portal-client.ts'
import { useAction } from '../../data/use-action.ts'

/** A new publishable key and a new secret key. */
export type QuickKeys = { publishableKey: string; secretKey: string }

const name = 'Quick start'

/** Creates the two keys for the snippets. They exist only in this page's memory and are gone when it is left. */
export function useQuickKeys() {
  const { id: orgID } = useOrganization()
  const [keys, setKeys] = useState<QuickKeys>()
  const one = async (body: Body<'POST /v1/orgs/{orgID}/api-keys'>) =>
    unwrap(await portalClient.call('POST /v1/orgs/{orgID}/api-keys', { params: { orgID }, body })).key
  const create = useAction({
    run: async (): Promise<Result<QuickKeys>> => ({
      data: {
        publishableKey: await one({ name, type: 'publishable' }),
        secretKey: await one({ name, type: 'secret', scope: 'full' }),
      },
      error: null,
    }),
    changes: ['api-keys'],
    onDone: setKeys,
    done: 'Two keys created.',
  })
  return { keys, create }
}
