import { WebOrigin } from '@symbolon/api'
import { parseToken } from '@symbolon/crypto'
import type { Sql } from '../../db/pool.ts'
import type { OriginRules } from '../../http/origin.ts'
import type { BuiltAssets, BuiltFile } from '../../ports/built-assets.ts'
import { type FramedOrganization, frameStore } from './frame.store.ts'
import { frameHeaders, plainHeaders } from './frame-headers.ts'
import { assetsPath, frameDocument, framePage, plainPage } from './frame-page.ts'

/** A whole page. */
export type PageAnswer = { status: number; headers: Readonly<Record<string, string>>; html: string }

/** What the wallet frame is served with. */
export type FrameCtx = {
  sql: Sql
  assets: BuiltAssets
  hashToken: (token: string) => Uint8Array
  originRules: OriginRules
  enclavePins: EnclavePins
}

/** The enclaves that this installation accepts: registers (PCR index to hex) of which one set must match, and in development a root (DER). */
export type EnclavePins = {
  measurements: readonly Readonly<Record<number, string>>[]
  simulatedRoot?: Uint8Array
}

/**
 * The frame that a customer's pages embed; the publishable key says whose it is. Only a living key gives a page that can be framed:
 * without a key the answer is a 200 with an explanation, with any other one a 404.
 */
export async function frameOf(ctx: FrameCtx, publishableKey: unknown): Promise<PageAnswer> {
  if (publishableKey === undefined)
    return plain(
      200,
      'Wallet frame',
      'Applications embed this page by their publishable key. Open your application instead.',
    )
  const isKey = typeof publishableKey === 'string' && parseToken(publishableKey)?.prefix === 'pk_live_'
  const organization = isKey
    ? await frameStore.organizationOf(ctx.sql, ctx.hashToken(publishableKey))
    : undefined
  if (!isKey || organization === undefined)
    return plain(404, 'Wallet not found', 'The publishable key is invalid.')
  const built = await ctx.assets.frame()
  if (built === undefined) {
    const page = plain(503, 'Almost there', 'The wallet frame is being built. Try again in a moment.')
    return { ...page, headers: { ...page.headers, 'retry-after': '2' } }
  }
  const allowedOrigins = organization.allowedOrigins.filter((text) => WebOrigin.safeParse(text).success)
  const { ownOrigin, frameOrigin, isLoopbackAllowed } = ctx.originRules
  return {
    status: 200,
    headers: frameHeaders({
      scriptUrl: `${frameOrigin}${assetsPath}/${built.script.name}`,
      styleUrl: `${frameOrigin}${assetsPath}/${built.style.name}`,
      apiUrl: `${ownOrigin}/v1/`,
      allowedOrigins: [...new Set([ownOrigin, ...allowedOrigins])],
      isLoopbackAllowed,
    }),
    html: framePage(configOf(ctx, publishableKey, { ...organization, allowedOrigins }), built),
  }
}

/** The frame's document, for whoever compares its hash; undefined until it is built, in development only. */
export async function frameDocumentOf({ assets }: FrameCtx): Promise<string | undefined> {
  const built = await assets.frame()
  return built && frameDocument(built)
}

/** The file with exactly this name among those that the frame loads. */
export async function frameAsset({ assets }: FrameCtx, name: string): Promise<BuiltFile | undefined> {
  const built = await assets.frame()
  return built && [built.script, built.style].find((file) => file.name === name)
}

/** The frame's configuration: `FrameConfig` of its protocol. */
const configOf = (
  { originRules, enclavePins }: FrameCtx,
  publishableKey: string,
  organization: FramedOrganization,
) => ({
  api_base_url: originRules.ownOrigin,
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
  ...(organization.signingMode === 'tee' && { enclave: enclaveOf(enclavePins, organization.ringId) }),
})

const enclaveOf = ({ measurements, simulatedRoot }: EnclavePins, ringId: string | null) => ({
  ring_id: ringId,
  measurements,
  simulated_root: simulatedRoot === undefined ? null : Buffer.from(simulatedRoot).toString('base64'),
})

const plain = (status: number, title: string, text: string): PageAnswer => ({
  status,
  headers: plainHeaders,
  html: plainPage(title, text),
})
