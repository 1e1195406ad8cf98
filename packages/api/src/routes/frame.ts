import * as z from 'zod'
import type { Route } from '../route.ts'

/** Where the wallet frame is, and with a key whether the page may use it. */
export const getFrame = {
  id: 'frame.get',
  method: 'GET',
  path: '/v1/frame',
  lane: 'public',
  cors: 'any',
  summary: 'Find the wallet frame',
  description:
    'The origin that the wallet frame is served from. A page embeds `<url>/frame?publishable_key=…` and accepts messages from this origin only, as the SDK does. With `publishable_key`, the answer is an error if the key is unknown or the organization does not list the page’s origin; every page may read it.',
  query: z.strictObject({
    publishable_key: z
      .string()
      .regex(/^pk_live_/, 'must be a publishable key (pk_live_…)')
      .optional(),
  }),
  status: 200,
  data: z
    .strictObject({
      url: z.string().meta({ description: 'An origin, such as `https://frame.example.net`.' }),
    })
    .meta({ id: 'FrameLocation' }),
  errors: ['unauthorized', 'origin_not_allowed', 'unavailable'],
} as const satisfies Route
