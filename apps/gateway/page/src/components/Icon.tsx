/** Icons in the colour of the text beside them. They add no information to the text. */

const paths = {
  main: "M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11z",
  branch: "M4 2v12M4 9c5 0 8-1.5 8-5M12 2v2",
  worker: "M8 1.8l6.2 6.2L8 14.2L1.8 8z",
  menu: "M2 4h12M2 8h12M2 12h12",
  plus: "M8 3v10M3 8h10",
  stop: "M4 4h8v8H4z",
  send: "M8 13V3M3.5 7.5L8 3l4.5 4.5",
  down: "M8 3v10M3.5 8.5L8 13l4.5-4.5",
  copy: "M6 6h7.5v7.5H6zM10 6V2.5H2.5V10H6",
  download: "M8 2.5v8M4.5 7L8 10.5L11.5 7M3 13.5h10",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9zM10.5 10.5L14 14",
  bell: "M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4zM6.5 13.5a1.6 1.6 0 0 0 3 0",
  fork: "M4 2v12M4 8h4c3 0 4-1.5 4-6M10 4l2-2l2 2",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  chevron: "M6 3.5L10.5 8L6 12.5",
  panel: "M2 3h12v10H2zM10 3v10",
  attach: "M12.5 7.5l-5 5a3 3 0 0 1-4.3-4.3l5.5-5.5a2 2 0 0 1 2.9 2.9l-5.4 5.4a1 1 0 0 1-1.5-1.5l4.8-4.8",
  more: "M3 8h.01M8 8h.01M13 8h.01",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  shield: "M8 1.8l5 2v4c0 3.2-2 5.2-5 6.4c-3-1.2-5-3.2-5-6.4v-4z"
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path
      d={paths[name]}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)
