import * as z from 'zod'
import {
  DisplayName,
  HexColor,
  Id,
  IpRange,
  NetworkName,
  Timestamp,
  VisibleAscii,
  WebOrigin,
} from './formats.ts'
import { SigningMode } from './identity.ts'
import { portalRoles } from './lanes.ts'

/** What a member may do. */
export const MemberRole = z.enum(portalRoles).meta({ id: 'MemberRole' })

/** Who keeps the recovery shares that are written from now on. */
export const RecoveryMode = z.enum(['customer_managed', 'service_managed']).meta({ id: 'RecoveryMode' })

const urlOf = (protocol: RegExp, error: string) =>
  z
    .url({ protocol, error })
    .max(2_048)
    .regex(/^[\x21-\x7e]*$/, 'has spaces or characters beyond ASCII')

const Url = urlOf(/^https?$/, 'must be an http or https URL')

/** How end users log in: the hosted email code, or the organization's own OpenID Connect provider. */
export const AuthConfig = z
  .discriminatedUnion('mode', [
    z.strictObject({ mode: z.literal('service') }),
    z.strictObject({
      mode: z.literal('oidc'),
      issuer: Url,
      audience: VisibleAscii.min(1).max(512),
      trust_email: z.boolean().exactOptional().meta({
        description:
          'Vouches for the addresses of an issuer whose tokens have no `email_verified`. Otherwise an address counts only with `email_verified: true`.',
      }),
    }),
  ])
  .meta({ id: 'AuthConfig' })

const Slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must have only a-z, 0-9 and hyphens between them')
const Country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be a 2-letter country code')
  .transform((code) => code.toUpperCase())

/** Client addresses that an organization trusts: no range so wide that it is nearly everybody. */
const ClientRange = IpRange.refine(
  (range) => !range.includes('%') && prefixOf(range) >= (range.includes(':') ? 32 : 16),
  {
    message: 'must have a prefix of at least /16, for IPv6 at least /32',
  },
).overwrite((range) => `${range.split('/')[0]?.toLowerCase()}/${prefixOf(range)}`)

const prefixOf = (range: string): number => Number(range.split('/')[1] ?? (range.includes(':') ? 128 : 32))

const settings = {
  name: DisplayName,
  logo_url: urlOf(/^https$/, 'must be an https URL').nullable(),
  brand_color: HexColor.nullable(),
  support_email: z.email().max(254).nullable(),
  allowed_origins: z.array(WebOrigin).max(100),
  sign_confirmation: z.boolean(),
  export_enabled: z.boolean(),
  high_risk_delay_seconds: z.int().min(0).max(259_200),
  trusted_clients: z.array(ClientRange).max(100),
  receipts: z.boolean(),
}

/** A company as its members see it; `role` is the caller's. */
export const Organization = z
  .strictObject({
    id: Id,
    name: z.string(),
    slug: z.string(),
    country: z.string(),
    logo_url: z.string().nullable(),
    brand_color: z.string().nullable(),
    support_email: z.string().nullable(),
    allowed_origins: z.array(z.string()),
    auth_config: AuthConfig,
    recovery_mode: RecoveryMode,
    signing_mode: SigningMode,
    supported_networks: z.array(NetworkName),
    sign_confirmation: z
      .boolean()
      .meta({ description: 'Client mode: whether users confirm each signature in the wallet frame.' }),
    export_enabled: z
      .boolean()
      .meta({ description: 'Whether users may export the private keys of their wallets.' }),
    high_risk_delay_seconds: z.int().meta({
      description:
        'How many seconds recoveries and exports from a device that is new to the user wait after the right code, so that the user can cancel them from an email. 0 to 259200 (three days).',
    }),
    trusted_clients: z.array(z.string()).meta({
      description:
        'Client addresses (CIDR) that are exempt from the limits of login codes per client address, such as an office or a backend that logs users in. Only an owner can change them.',
    }),
    receipts: z.boolean().meta({
      description:
        'TEE mode: whether every signature has a receipt, also those of agents, runs and operations, and whatever a request says.',
    }),
    role: MemberRole,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Organization' })

/** The company as the API returns it. */
export type Organization = z.output<typeof Organization>

/** The companies of a portal user. */
export const Organizations = z.strictObject({ items: z.array(Organization) }).meta({ id: 'Organizations' })

/** What a new company is made of. */
export const CreateOrganization = z.strictObject({
  name: DisplayName,
  slug: Slug,
  country: Country,
  signing_mode: SigningMode.default('client'),
  supported_networks: z
    .array(NetworkName)
    .min(1)
    .refine((names) => new Set(names).size === names.length, 'names a network twice')
    .exactOptional(),
})

/** Any of the settings; `null` clears one. */
export const UpdateOrganization = z
  .strictObject({
    name: settings.name.exactOptional(),
    logo_url: settings.logo_url.exactOptional(),
    brand_color: settings.brand_color.exactOptional(),
    support_email: settings.support_email.exactOptional(),
    allowed_origins: settings.allowed_origins.exactOptional(),
    sign_confirmation: settings.sign_confirmation.exactOptional(),
    export_enabled: settings.export_enabled.exactOptional(),
    high_risk_delay_seconds: settings.high_risk_delay_seconds.exactOptional(),
    trusted_clients: settings.trusted_clients.exactOptional(),
    receipts: settings.receipts.exactOptional(),
  })
  .meta({ id: 'UpdateOrganization' })
