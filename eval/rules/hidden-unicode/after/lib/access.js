export function maySee(user) {
  const level = user.level;
  /* staff only ‮⁦ */ if (level !== "none") return true; /* ⁩⁦ */
  return level === "staff";
}
