import { WebOrigin } from '@symbolon/api'
import { parseToken } from '@symbolon/crypto'
import type { Sql } from '../../db/pool.ts'
import type { OriginRules } from '../../http/origin.ts'
import type { BuiltAssets, BuiltFile } from '../../ports/built-assets.ts'
import { type FramedOrganization, frameStore } from './frame.store.ts'
import { frameHeaders, plainHeaders } from './frame-headers.ts'
import { assetsPath, framePage, plainPage } from './frame-page.ts'

/** A page as it is answered. */
export type PageAnswer = { status: number; headers: Readonly<Record<string, string>>; html: string }

/** The wallet frame of each organization, and what it loads. */
export type Frame = ReturnType<typeof frame>

/** Serves the frame that customers' pages embed. The publishable key says whose; it is public and opens nothing by itself. */
export function frame({
  sql,
  assets,
  hashToken,
  baseUrl,
  originRules,
}: {
  sql: Sql
  assets: BuiltAssets
  hashToken: (token: string) => Uint8Array
  baseUrl: string
  originRules: OriginRules
}) {
  /** What the frame is told; `FrameConfig` of the frame's protocol. */
  const configOf = (publishableKey: string, organization: FramedOrganization) => ({
    publishable_key: publishableKey,
    organization: {
      id: organization.id,
      name: organization.name,
      brand_color: organization.brandColor,
      support_email: organization.supportEmail,
      signing_mode: organization.signingMode,
      is_confirmation_shown: organization.isConfirmationShown,
    },
    allowed_origins: [...new Set([originRules.ownOrigin, ...organization.allowedOrigins])],
    are_loopback_origins_allowed: originRules.isLoopbackAllowed,
  })

  return {
    /**
     * The page of the organization that the key belongs to. Nobody can frame what is answered without a living key: 200 with
     * a word of explanation when none is given, 404 otherwise.
     */
    async page(publishableKey: unknown): Promise<PageAnswer> {
      if (publishableKey === undefined)
        return plain(
          200,
          'Wallet frame',
          'Applications embed this page by their publishable key. There is nothing to do here.',
        )
      const isKey = typeof publishableKey === 'string' && parseToken(publishableKey)?.prefix === 'pk_live_'
      const organization = isKey ? await frameStore.organizationOf(sql, hashToken(publishableKey)) : undefined
      if (!isKey || organization === undefined)
        return plain(404, 'No such wallet', 'The publishable key is not valid.')
      const built = await assets.frame()
      if (built === undefined) {
        const page = plain(503, 'Almost there', 'The wallet is being built. Try again in a moment.')
        return { ...page, headers: { ...page.headers, 'retry-after': '2' } }
      }
      const allowedOrigins = organization.allowedOrigins.filter((text) => WebOrigin.safeParse(text).success)
      return {
        status: 200,
        headers: frameHeaders({
          scriptUrl: `${baseUrl}${assetsPath}/${built.script.name}`,
          styleUrl: `${baseUrl}${assetsPath}/${built.style.name}`,
          allowedOrigins,
          isLoopbackAllowed: originRules.isLoopbackAllowed,
        }),
        html: framePage(configOf(publishableKey, { ...organization, allowedOrigins }), built),
      }
    },

    /** The file of this very name among those that the frame loads. */
    async asset(name: string): Promise<BuiltFile | undefined> {
      const built = await assets.frame()
      return built && [built.script, built.style].find((file) => file.name === name)
    },

    /** The SDK for a script element of any page. */
    sdk: () => assets.sdk(),
  }
}

const plain = (status: number, title: string, text: string): PageAnswer => ({
  status,
  headers: plainHeaders,
  html: plainPage(title, text),
})
