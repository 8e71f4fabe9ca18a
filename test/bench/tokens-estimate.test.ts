import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "#core/prompt/token-estimate.ts";

const root = join(import.meta.dirname, "../..");

/** One sentence in many languages, all of them ours. */
const sentences: Readonly<Record<string, string>> = {
  Amharic: "ይህን ለውጥ መመርመር ሁለት ጠሪዎች አሁንም በአሮጌው ባህሪ ላይ እንደሚመኩ ያሳያል።",
  Arabic: "تظهر مراجعة هذا التغيير أن اثنين من المستدعين ما زالا يعتمدان على السلوك القديم.",
  Chinese: "对这个改动的审查表明,有两个调用者仍然依赖旧的行为,而且没有人告诉他们。",
  English: "Reading this change shows that two callers still rely on the older behaviour, and nobody has told them.",
  French:
    "La relecture montre que deux appelants dépendent encore de l'ancien comportement, et personne ne le leur a dit.",
  Georgian: "ამ ცვლილების განხილვა აჩვენებს, რომ ორი გამომძახებელი კვლავ ძველ ქცევას ეყრდნობა.",
  German: "Die Überprüfung zeigt, dass zwei Aufrufer sich noch auf das frühere Verhalten verlassen.",
  Greek: "Ο έλεγχος αυτής της αλλαγής δείχνει ότι δύο κλήσεις βασίζονται ακόμη στην παλιά συμπεριφορά.",
  Hebrew: "הבדיקה של השינוי הזה מראה ששני קוראים עדיין מסתמכים על ההתנהגות הישנה.",
  Hindi: "इस बदलाव की समीक्षा से पता चलता है कि दो जगहें अब भी पुराने व्यवहार पर निर्भर हैं।",
  Japanese: "この変更を確認すると、二つの呼び出し元がまだ古い動作に依存していることがわかります。",
  Korean: "이 변경을 검토해 보니 두 호출자가 아직 예전 동작에 의존하고 있습니다.",
  Polish: "Przegląd tej zmiany pokazuje, że dwa wywołania nadal polegają na dawnym zachowaniu.",
  Russian: "Проверка этого изменения показывает, что два вызова всё ещё полагаются на прежнее поведение.",
  Thai: "การตรวจสอบการเปลี่ยนแปลงนี้แสดงว่าผู้เรียกสองรายยังคงพึ่งพาพฤติกรรมเดิม",
  Turkish: "Bu değişikliğin incelenmesi, iki çağıranın hâlâ eski davranışa güvendiğini gösteriyor.",
  Vietnamese: "Việc xem xét thay đổi này cho thấy hai nơi gọi vẫn còn dựa vào hành vi cũ.",
};

function ratio(text: string): number {
  return estimateTokens(text) / countTokens(text);
}

function countTokens(text: string): number {
  return encode(text, { disallowedSpecial: new Set() }).length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

describe("the estimate of tokens", () => {
  it.each(Object.entries(sentences))("is not below o200k for prose in %s, and not far above", (_, sentence) => {
    expect(ratio(sentence)).toBeGreaterThanOrEqual(1);
    expect(ratio(sentence)).toBeLessThan(2.3);
  });

  it.each([
    ["src", 100],
    ["docs", 20],
    ["node_modules", 100],
  ])(
    "is between o200k and 1.6 times that for the files below %s, and hardly below for any of them",
    (folder, count) => {
      const texts = sourcesBelow(folder, count);
      expect(texts.length).toBeGreaterThan(count / 3);
      const whole = sum(texts.map(estimateTokens)) / sum(texts.map(countTokens));
      expect(whole).toBeGreaterThan(1.05);
      expect(whole).toBeLessThan(1.6);
      expect(Math.min(...texts.map(ratio))).toBeGreaterThan(0.9);
    },
  );

  it("is not below o200k for keys and hashes", () => {
    const bytes = Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * index * 31 + index * 7) % 256));
    expect(ratio(bytes.toString("base64"))).toBeGreaterThanOrEqual(1);
    expect(ratio(bytes.toString("hex"))).toBeGreaterThanOrEqual(1);
  });
});

/** So many files of text, spread evenly over what is there, the first 20,000 characters of each. */
function sourcesBelow(folder: string, countMax: number): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|tsx|js|mjs|cjs|md|json|css|yml|yaml)$/.test(name) && !name.endsWith(".min.js"))
    .toSorted();
  const step = Math.max(1, Math.floor(names.length / countMax));
  return names
    .filter((_, index) => index % step === 0)
    .map((name) => readSample(join(root, folder, name)))
    .filter((text) => text.length > 500);
}

function readSample(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, 20_000);
  } catch {
    return "";
  }
}
