import type { FrameConfig } from '../protocol/messages.ts'
import { isObject } from '../requests/read-fields.ts'

/** The configuration that the service wrote into the page; an `Error` where it is missing or not of this form. */
export function readConfig(text: string | null | undefined): FrameConfig {
  const config: unknown = JSON.parse(text ?? 'null')
  if (!isObject(config) || !isObject(config['organization'])) throw new Error('no configuration')
  const { publishable_key, allowed_origins, organization } = config
  const isGood =
    typeof publishable_key === 'string' &&
    typeof config['api_base_url'] === 'string' &&
    Array.isArray(allowed_origins) &&
    allowed_origins.every((origin) => typeof origin === 'string') &&
    typeof config['are_loopback_origins_allowed'] === 'boolean' &&
    typeof organization['name'] === 'string' &&
    (organization['signing_mode'] === 'client' || organization['signing_mode'] === 'tee') &&
    typeof organization['is_confirmation_shown'] === 'boolean' &&
    (organization['signing_mode'] === 'client' || isObject(config['enclave']))
  if (!isGood) throw new Error('no configuration')
  return config as unknown as FrameConfig
}
