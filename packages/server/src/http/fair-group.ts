import type { FastifyRequest } from 'fastify'
import { clientGroup } from '../runtime/client-block.ts'

/** Who takes turns as one: an organization, otherwise a portal user, otherwise a client address. */
export function groupOf({ authenticated, ip }: Pick<FastifyRequest, 'authenticated' | 'ip'>): string {
  const { organization, user }: { organization?: { id: string }; user?: { id: string } } =
    authenticated?.principal ?? {}
  return organization?.id ?? user?.id ?? clientGroup(ip)
}
