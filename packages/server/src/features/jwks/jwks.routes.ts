import { jwks } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { PlatformKey } from './platform-key.ts'

/** The public halves of the platform's keys. */
export const jwksRoutes = ({ jwk }: PlatformKey) => [on(jwks, async () => ({ keys: [jwk] }))]
