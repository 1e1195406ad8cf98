import type { Model } from '../../ports/model.ts'
import type { Outbound } from '../../ports/outbound.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { openaiChat } from './openai-chat.ts'

/** A language model's API: `url` is what its version's paths follow (`https://api.openai.com/v1`). */
export type ModelConfig = {
  url: string
  kind: 'openai' | 'anthropic'
  model: string
  apiKey: string | undefined
}

/** The model that the installation is configured with, of whichever kind. */
export const configuredModel = ({ kind, ...config }: ModelConfig, outbound: Outbound): Model =>
  kind === 'openai' ? openaiChat({ ...config, outbound }) : anthropicMessages({ ...config, outbound })
