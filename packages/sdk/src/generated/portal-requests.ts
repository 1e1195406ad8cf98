// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.

/** `UpdateOrganization` of the API. */
export type UpdateOrganization = {
  name?: string
  logo_url?: string | null
  brand_color?: string | null
  support_email?: string | null
  allowed_origins?: Array<string>
  sign_confirmation?: boolean
}
