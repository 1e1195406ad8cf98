import * as z from 'zod'
import type { Route } from '../route.ts'

/** Where the wallet frame is. */
export const getFrame = {
  id: 'frame.get',
  method: 'GET',
  path: '/v1/frame',
  lane: 'public',
  cors: 'any',
  summary: 'Find the wallet frame',
  description:
    'The origin that the wallet frame is served from. A page embeds `<url>/frame?publishable_key=…` and accepts messages from this origin only, as the SDK does.',
  status: 200,
  data: z
    .strictObject({
      url: z.string().meta({ description: 'An origin, such as `https://frame.example.net`.' }),
    })
    .meta({ id: 'FrameLocation' }),
  errors: [],
} as const satisfies Route
