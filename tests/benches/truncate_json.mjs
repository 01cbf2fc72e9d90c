// Reads {"text":…,"bytes":N} on each line and answers {"text":…} with what truncate-json makes of it.
import { createInterface } from 'node:readline'
import truncateJson from 'truncate-json'

for await (const line of createInterface({ input: process.stdin })) {
  const { text, bytes } = JSON.parse(line)
  console.log(JSON.stringify({ text: truncateJson(text, bytes).jsonString }))
}
