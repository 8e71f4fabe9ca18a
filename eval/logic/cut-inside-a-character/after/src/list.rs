const NAME_MAX: usize = 20;

/// Names come from people all over the world.
pub fn short_name(name: &str) -> String {
    if name.len() > NAME_MAX {
        format!("{}…", &name[..NAME_MAX])
    } else {
        name.to_string()
    }
}
