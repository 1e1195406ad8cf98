import * as z from 'zod'
import { Id } from '../formats.ts'
import { SigningMode } from '../identity.ts'
import {
  AuthConfig,
  CreateOrganization,
  Organization,
  Organizations,
  RecoveryMode,
  UpdateOrganization,
} from '../organization.ts'
import type { Route } from '../route.ts'

const OrgParams = z.strictObject({ orgID: Id })

/** The caller's companies. */
export const listOrganizations = {
  id: 'orgs.list',
  method: 'GET',
  path: '/v1/orgs',
  lane: 'portal',
  summary: 'List the companies you belong to',
  description: 'Those that you have opened come first. At most 200 are listed.',
  status: 200,
  data: Organizations,
  errors: [],
  limit: 'portal-list',
  isLongAnswer: true,
} as const satisfies Route

/** A new company. */
export const createOrganization = {
  id: 'orgs.create',
  method: 'POST',
  path: '/v1/orgs',
  lane: 'portal',
  summary: 'Create a company',
  description: 'You become its owner. A person can create 50 companies in 24 hours.',
  body: CreateOrganization,
  status: 201,
  data: Organization,
  errors: ['slug_taken', 'rate_limited'],
} as const satisfies Route

/** One company. */
export const getOrganization = {
  id: 'orgs.get',
  method: 'GET',
  path: '/v1/orgs/{orgID}',
  lane: 'portal',
  role: 'viewer',
  summary: 'Read a company',
  params: OrgParams,
  status: 200,
  data: Organization,
  errors: [],
} as const satisfies Route

/** Branding and origins. */
export const updateOrganization = {
  id: 'orgs.update',
  method: 'PATCH',
  path: '/v1/orgs/{orgID}',
  lane: 'portal',
  role: 'admin',
  summary: 'Change branding, allowed origins and settings',
  description:
    'Owners are notified by email when `allowed_origins`, `sign_confirmation`, `export_enabled`, `high_risk_delay_seconds` or `receipts` change. Only an owner can turn `sign_confirmation` off or lower `high_risk_delay_seconds`.',
  params: OrgParams,
  body: UpdateOrganization,
  status: 200,
  data: Organization,
  errors: [],
} as const satisfies Route

/** How end users log in. */
export const updateOrganizationAuth = {
  id: 'orgs.updateAuth',
  method: 'PATCH',
  path: '/v1/orgs/{orgID}/auth',
  lane: 'portal',
  role: 'admin',
  summary: 'Change how end users log in',
  description: 'Tokens of the previous configuration end at once. Owners are notified by email.',
  params: OrgParams,
  body: z.strictObject({ auth_config: AuthConfig }),
  status: 200,
  data: Organization,
  errors: [],
} as const satisfies Route

/** Who keeps recovery shares. */
export const updateRecoveryMode = {
  id: 'orgs.updateRecoveryMode',
  method: 'PATCH',
  path: '/v1/orgs/{orgID}/recovery-mode',
  lane: 'portal',
  role: 'admin',
  summary: 'Change who keeps recovery shares',
  description: 'Stored shares stay where they are. Owners are notified by email.',
  params: OrgParams,
  body: z.strictObject({ mode: RecoveryMode }),
  status: 200,
  data: Organization,
  errors: [],
} as const satisfies Route

/** Where keys sign. */
export const updateSigningMode = {
  id: 'orgs.updateSigningMode',
  method: 'PATCH',
  path: '/v1/orgs/{orgID}/signing-mode',
  lane: 'portal',
  role: 'admin',
  summary: 'Change the signing mode',
  description: 'Possible only while the company has no wallets.',
  params: OrgParams,
  body: z.strictObject({ signing_mode: SigningMode }),
  status: 200,
  data: Organization,
  errors: ['organization_has_wallets'],
} as const satisfies Route
